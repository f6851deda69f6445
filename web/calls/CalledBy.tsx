import { Text } from '@mantine/core'
import type { CallPreview } from '#contract/calls'

/** Who called or answered: a user, or what the telephone system calls them. */
export function CalledBy({ call: { called_by_name, agent } }: { call: CallPreview }) {
  const name = called_by_name ?? agent
  if (name) return name
  return (
    <Text span inherit c="dimmed">
      Unknown
    </Text>
  )
}
