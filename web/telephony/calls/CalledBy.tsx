import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import type { CallPreview } from '#contract/telephony/calls'

/** Who called or answered: a user, or what the telephone system calls them. A missed call was answered by none of them. */
export function CalledBy({ call: { called_by_name, agent, call_type, outcome } }: { call: CallPreview }) {
  const name = called_by_name ?? agent
  if (name) return name
  if (call_type === 'Inbound' && outcome !== 'Completed') return '–'
  return (
    <Text span inherit c="dimmed">
      <Trans>Unknown</Trans>
    </Text>
  )
}
