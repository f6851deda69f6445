import { t } from '@lingui/core/macro'
import { Group, UnstyledButton } from '@mantine/core'
import { type CallQueue, type QueueReason, queueReasons } from '#contract/selling/call-queue'
import styles from './CallQueue.module.css'
import { groupText } from './reasons.tsx'

interface Props extends Pick<CallQueue, 'counts'> {
  group: QueueReason | undefined
  onChoose(group: QueueReason | undefined): void
}

/** How many leads there are to call for each reason. A press shows those alone, and another one all. */
export function QueueGroups({ counts, group, onChoose }: Props) {
  const shown = queueReasons.filter((reason) => counts[reason] > 0 || reason === group)
  return (
    <Group gap={8} wrap="nowrap" flex="none" role="group" aria-label={t`Leads to call, by reason`}>
      {shown.map((reason) => (
        <UnstyledButton
          key={reason}
          className={styles.group}
          aria-pressed={reason === group}
          onClick={() => onChoose(reason === group ? undefined : reason)}
        >
          {groupText(reason, counts[reason])}
        </UnstyledButton>
      ))}
    </Group>
  )
}
