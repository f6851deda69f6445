import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../query.ts'
import { formatCount } from '../../ui/numbers.ts'
import { Problem } from '../../ui/Problem.tsx'
import { WaitingButton } from '../../ui/WaitingButton.tsx'
import { type Mapping, trialQuery } from '../queries.ts'
import { DryRun, losesSomething } from './DryRun.tsx'
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
  const trial = useQuery({ ...trialQuery(webhookId, mapping), enabled: false, placeholderData: undefined })
  const loses = trial.data !== undefined && losesSomething(trial.data)
  const save = useMutation({
    // Nothing is saved before it is known to lose nothing, or before the loss was shown beside the button.
    mutationFn: async (saved: Draft) => {
      if (trial.data === undefined && losesSomething(await queryClient.fetchQuery(trialQuery(webhookId, mapping))))
        return null
      return saveMapping(webhookId, saved)
    },
    onSuccess: (takesBack, saved) => {
      if (takesBack) onSaved(saved, takesBack)
    },
  })
  return (
    <section className={styles.bar} aria-label="Unsaved changes">
      <div>
        <Text fw={600} visibleFrom="sm">
          {formatCount(changes, 'unsaved change')}
        </Text>
        <DryRun webhookId={webhookId} mapping={mapping} />
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <WaitingButton waiting={save.isPending} color={loses ? 'red.9' : undefined} onClick={() => save.mutate(draft)}>
          {loses ? 'Save anyway' : `Save ${formatCount(changes, 'change')}`}
        </WaitingButton>
      </Group>
      <Problem error={save.variables === draft ? save.error : null} />
    </section>
  )
}
