import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '../../ui/Problem.tsx'
import { tell } from '../../ui/tell.tsx'
import { ReplayRefused } from '../deliveries/ReplayRefused.tsx'
import { changeWebhook, type Mapping } from '../queries.ts'
import styles from './MappingTab.module.css'

interface Props {
  webhookId: string
  /** The mapping that the saved one took the place of. */
  before: Mapping
  onDone(): void
}

/** The button that saved is gone, and the focus with it. */
const takeFocus = (bar: HTMLElement | null) => bar?.focus()

/** Stands where the changes were saved: what was refused may now be taken. */
export function SavedBar({ webhookId, before, onDone }: Props) {
  const undo = useMutation({
    mutationFn: () => changeWebhook(webhookId, { mapping: before }),
    onSuccess: () => {
      onDone()
      tell('The mapping is as it was')
    },
  })
  return (
    <section ref={takeFocus} tabIndex={-1} className={styles.bar} aria-label="Saved">
      <Text fw={600} role="status">
        Mapping saved.
      </Text>
      <Group gap={8}>
        <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
          Undo
        </Button>
        <ReplayRefused webhookId={webhookId} inBar />
        <CloseButton aria-label="Close" onClick={onDone} />
      </Group>
      <Problem error={undo.error} />
    </section>
  )
}
