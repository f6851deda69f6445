import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CloseButton, Group, Text } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { bottomBar } from '../../../platform/ui/keep-room.ts'
import { notify } from '../../../platform/ui/notify.tsx'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../../platform/ui/WaitingButton.tsx'
import { ReplayDeliveries } from '../deliveries/ReplayDeliveries.tsx'
import type { Draft } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { saveMapping } from './save-mapping.ts'

interface Props {
  webhookId: string
  undo: Draft
  onDone(): void
}

/** Moves the focus from the button, which is removed, to the bar. */
const takeFocus = (bar: HTMLElement | null) => bar?.focus()

/** Shown after saving: rejected deliveries can be replayed now. */
export function SavedBar({ webhookId, undo, onDone }: Props) {
  const ref = useMergedRef(bottomBar, takeFocus)
  const undoing = useMutation({
    mutationFn: () => saveMapping(webhookId, undo),
    onSuccess: () => {
      onDone()
      notify(t`Mapping restored`)
    },
  })
  return (
    <section ref={ref} tabIndex={-1} className={styles.bar} aria-label={t`Saved`}>
      <Text fw={600} role="status">
        <Trans>Mapping saved.</Trans>
      </Text>
      <Group gap={8}>
        <WaitingButton variant="default" waiting={undoing.isPending} onClick={() => undoing.mutate()}>
          <Trans>Undo</Trans>
        </WaitingButton>
        <ReplayDeliveries webhookId={webhookId} inBar />
        <CloseButton aria-label={t`Close`} onClick={onDone} />
      </Group>
      <Problem error={undoing.error} />
    </section>
  )
}
