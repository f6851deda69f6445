import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ShownWebhook } from '#contract/webhooks'
import { counted } from '../../ui/money.ts'
import { Problem } from '../../ui/Problem.tsx'
import { changeWebhook, type Mapping } from '../queries.ts'
import { DryRun } from './DryRun.tsx'
import styles from './MappingTab.module.css'

interface Props {
  webhook: ShownWebhook
  mapping: Mapping
  changes: number
  onDiscard(): void
  onSaved(before: Mapping): void
}

/** Stands while there is something to save. */
export function SaveBar({ webhook: { id, mapping: before }, mapping, changes, onDiscard, onSaved }: Props) {
  const save = useMutation({
    mutationFn: () => changeWebhook(id, { mapping }),
    onSuccess: () => onSaved(before),
  })
  return (
    <section className={styles.bar} aria-label="Unsaved changes">
      <div>
        <Text fw={600} visibleFrom="sm">
          {counted(changes, 'unsaved change')}
        </Text>
        <DryRun webhookId={id} mapping={mapping} />
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save {counted(changes, 'change')}
        </Button>
      </Group>
      <Problem error={save.error} />
    </section>
  )
}
