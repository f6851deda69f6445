import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { curlToPost } from '../../access/api-keys/curl.ts'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'

export function NextSteps({ secret, leadId }: { secret: string; leadId: string }) {
  const call = { lead_id: leadId, call_type: 'Outbound', duration_seconds: 95 }
  return (
    <Stack gap={16}>
      <div>
        <Text mb={8}>
          <Trans>Log a call with this lead:</Trans>
        </Text>
        <CopyableText label={t`Command to log a call`} value={curlToPost(secret, '/call-logs', call)} />
      </div>
      <Text>
        <Trans>
          Open the list of{' '}
          <Anchor component={Link} underline="always" to="/leads">
            all leads
          </Anchor>
          .
        </Trans>
      </Text>
      <Text>
        <Trans>
          Get leads from a portal, a form or a telephony provider without code:{' '}
          <Anchor component={Link} underline="always" to="/settings/webhooks">
            connect a webhook
          </Anchor>
          .
        </Trans>
      </Text>
      <Text>
        <Trans>
          All fields, responses and errors are in the{' '}
          <Anchor underline="always" href="/docs/">
            API reference
          </Anchor>
          .
        </Trans>
      </Text>
    </Stack>
  )
}
