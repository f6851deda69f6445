import { ActionIcon, Anchor, Tooltip } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'

interface Props {
  call: { id: string; has_recording: boolean }
  /** Shows only an icon. What the call is, for screen readers: "inbound call with Asha". */
  what?: string
}

/** Opens the recording of a call, if it has one, in another tab. */
export function RecordingLink({ call, what }: Props) {
  if (!call.has_recording) return null
  const link = { href: `/web/calls/${call.id}/recording`, target: '_blank', rel: 'noopener noreferrer' }
  if (what)
    return (
      <Tooltip label="Play recording">
        <ActionIcon
          component="a"
          {...link}
          variant="subtle"
          color="gray"
          size={32}
          aria-label={`Play recording of the ${what}`}
        >
          <IconPlayerPlay size={16} />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Anchor {...link} size="sm">
      Play recording
    </Anchor>
  )
}
