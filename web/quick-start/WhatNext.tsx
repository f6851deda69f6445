import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { curlToPost } from '../api-keys/requests.ts'
import { CopyableText } from '../ui/CopyButton.tsx'

export function WhatNext({ secret, leadId }: { secret: string; leadId: string }) {
  const call = { lead_id: leadId, call_type: 'Outbound', duration_seconds: 95 }
  return (
    <Stack gap={16}>
      <div>
        <Text mb={8}>Log a call with this lead:</Text>
        <CopyableText label="Call line" value={curlToPost(secret, '/call-logs', call)} />
      </div>
      <Text>
        See the lead among{' '}
        <Anchor component={Link} underline="always" to="/leads">
          all leads
        </Anchor>
        .
      </Text>
      <Text>
        Take leads from a portal, a form or a telephony provider without a program:{' '}
        <Anchor component={Link} underline="always" to="/settings/webhooks">
          connect a webhook
        </Anchor>
        .
      </Text>
      <Text>
        Every field, answer and refusal is in the{' '}
        <Anchor underline="always" href="/docs/">
          API reference
        </Anchor>
        .
      </Text>
    </Stack>
  )
}
