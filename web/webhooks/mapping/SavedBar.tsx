import { CloseButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notify } from '../../ui/notify.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { WaitingButton } from '../../ui/WaitingButton.tsx'
import { ReplayRefused } from '../deliveries/ReplayRefused.tsx'
import type { Draft } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { saveMapping } from './save-mapping.ts'

interface Props {
  webhookId: string
  undo: Draft
  onDone(): void
}

/** The button that saved is gone, and the focus with it. */
const takeFocus = (bar: HTMLElement | null) => bar?.focus()

/** Stands where the changes were saved: what was refused may now be taken. */
export function SavedBar({ webhookId, undo, onDone }: Props) {
  const takeBack = useMutation({
    mutationFn: () => saveMapping(webhookId, undo),
    onSuccess: () => {
      onDone()
      notify('The mapping is as it was')
    },
  })
  return (
    <section ref={takeFocus} tabIndex={-1} className={styles.bar} aria-label="Saved">
      <Text fw={600} role="status">
        Mapping saved.
      </Text>
      <Group gap={8}>
        <WaitingButton variant="default" waiting={takeBack.isPending} onClick={() => takeBack.mutate()}>
          Undo
        </WaitingButton>
        <ReplayRefused webhookId={webhookId} inBar />
        <CloseButton aria-label="Close" onClick={onDone} />
      </Group>
      <Problem error={takeBack.error} />
    </section>
  )
}
