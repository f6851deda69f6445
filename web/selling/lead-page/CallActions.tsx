import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPhone, IconPhonePlus } from '@tabler/icons-react'
import type { LeadInFull } from '#contract/crm/leads'
import { formatPhone, phoneUrl, usePhonePlans } from '../../crm/contacts/phone.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { startCall } from '../../telephony/calls/call-in-progress.ts'

/** Calls the lead, and logs a call with it. */
export function CallActions({ lead, onLogCall }: { lead: LeadInFull; onLogCall(): void }) {
  usePhonePlans()
  const onPhone = useNarrow()
  return (
    <>
      {lead.phone && (
        <Button
          variant={onPhone ? 'filled' : 'default'}
          leftSection={<IconPhone size={16} aria-hidden />}
          component="a"
          href={phoneUrl(lead.phone)}
          aria-label={t`Call ${{ phone: formatPhone(lead.phone) }}`}
          onClick={() => startCall(lead)}
        >
          {formatPhone(lead.phone)}
        </Button>
      )}
      <Button
        variant={onPhone && lead.phone ? 'default' : 'filled'}
        leftSection={<IconPhonePlus size={16} aria-hidden />}
        onClick={onLogCall}
      >
        <Trans>Log call</Trans>
      </Button>
    </>
  )
}
