import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { counted } from '../../ui/money.ts'
import { Problem } from '../../ui/Problem.tsx'
import { WaitingButton } from '../../ui/WaitingButton.tsx'
import type { Mapping } from '../queries.ts'
import { DryRun } from './DryRun.tsx'
import type { Draft } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { saveMapping } from './save-mapping.ts'

interface Props {
  webhookId: string
  draft: Draft
  /** What it comes to. */
  mapping: Mapping
  changes: number
  onDiscard(): void
  onSaved(saved: Draft, takesBack: Draft): void
}

/** Stands while there is something to save. */
export function SaveBar({ webhookId, draft, mapping, changes, onDiscard, onSaved }: Props) {
  const save = useMutation({
    mutationFn: (saved: Draft) => saveMapping(webhookId, saved),
    onSuccess: (takesBack, saved) => onSaved(saved, takesBack),
  })
  return (
    <section className={styles.bar} aria-label="Unsaved changes">
      <div>
        <Text fw={600} visibleFrom="sm">
          {counted(changes, 'unsaved change')}
        </Text>
        <DryRun webhookId={webhookId} mapping={mapping} />
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <WaitingButton waiting={save.isPending} onClick={() => save.mutate(draft)}>
          Save {counted(changes, 'change')}
        </WaitingButton>
      </Group>
      <Problem error={save.variables === draft ? save.error : null} />
    </section>
  )
}
