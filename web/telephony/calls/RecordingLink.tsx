import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Anchor, Tooltip } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'

interface Props {
  call: { id: string; has_recording: boolean }
  /** Shows only an icon. For screen readers: "Play recording of the inbound call with Asha". */
  label?: string
}

/** Opens the recording of a call, if it has one, in another tab. */
export function RecordingLink({ call, label }: Props) {
  if (!call.has_recording) return null
  const link = { href: `/web/calls/${call.id}/recording`, target: '_blank', rel: 'noopener noreferrer' }
  if (label)
    return (
      <Tooltip label={t`Play recording`}>
        <ActionIcon component="a" {...link} variant="subtle" color="gray" size={32} aria-label={label}>
          <IconPlayerPlay size={16} />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Anchor {...link} size="sm">
      <Trans>Play recording</Trans>
    </Anchor>
  )
}
