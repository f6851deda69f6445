import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Anchor, Button, CloseButton, Group, Popover, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './PlayRecording.module.css'

interface Props {
  call: { id: string; has_recording: boolean }
  /** Shows only an icon. For screen readers: "Play recording of the inbound call with Asha". */
  label?: string
}

/** Closes the player that is open: only one recording plays. */
let closeOther: (() => void) | undefined

/** Plays the recording of a call in place, if it has one. */
export function PlayRecording({ call, label }: Props) {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (!opened) return
    const close = () => setOpened(false)
    closeOther?.()
    closeOther = close
    return () => {
      if (closeOther === close) closeOther = undefined
    }
  }, [opened])
  if (!call.has_recording) return null
  const toggle = () => setOpened(!opened)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      // The user goes on working while it plays.
      closeOnClickOutside={false}
      position="bottom-end"
      returnFocus
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        {label ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={label}
            title={t`Play recording`}
            onClick={toggle}
          >
            <IconPlayerPlay size={16} />
          </ActionIcon>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            mih={32}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={toggle}
          >
            <Trans>Play recording</Trans>
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown p={12}>
        <Player url={`/web/calls/${call.id}/recording`} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Some telephone systems ask to sign in before they play. */
function Player({ url, onClose }: { url: string; onClose(): void }) {
  const [isFailed, setFailed] = useState(false)
  return (
    <>
      <Group gap={8} wrap="nowrap">
        {isFailed ? (
          <Text role="status" size="sm" flex={1}>
            <Trans>This recording does not play here.</Trans>
          </Text>
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: telephone systems have no captions
          <audio
            className={styles.audio}
            controls
            autoPlay
            src={url}
            aria-label={t`Recording`}
            onError={() => setFailed(true)}
          />
        )}
        <CloseButton aria-label={t`Close`} data-autofocus size={32} onClick={onClose} />
      </Group>
      <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
        <Trans>Open in another tab</Trans>
      </Anchor>
    </>
  )
}
