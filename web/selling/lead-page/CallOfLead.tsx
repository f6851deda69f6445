import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Group, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useLayoutEffect } from 'react'
import { isText } from '../../platform/ui/page-keys.ts'
import { CallForm } from '../../telephony/calls/CallForm.tsx'
import { type CallInProgress, closeCallForm } from '../../telephony/calls/call-in-progress.ts'
import styles from './Lead.module.css'

/** The form of a call with the lead, on its page: what is known of the lead stays readable. */
export function CallOfLead({ call }: { call: CallInProgress }) {
  const close = () => closeCallForm(call)
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      className={styles.callForm}
      aria-label={t`Log a call with ${{ name: call.lead.name }}`}
      data-own-escape
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !isText(event.target)) close()
      }}
    >
      <CallForm
        call={call}
        place="page"
        head={
          <Group justify="space-between" wrap="nowrap">
            <Title order={2}>
              <Trans>Log call</Trans>
            </Title>
            <ActionIcon variant="subtle" color="gray" size={32} aria-label={t`Close`} onClick={close}>
              <IconX size={18} />
            </ActionIcon>
          </Group>
        }
      />
    </section>
  )
}
