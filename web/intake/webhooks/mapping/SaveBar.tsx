import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../platform/api/query.ts'
import { bottomBar } from '../../../platform/ui/keep-room.ts'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../../platform/ui/WaitingButton.tsx'
import { dryRunQuery, type Mapping } from '../queries.ts'
import { DryRun, losesSomething } from './DryRun.tsx'
import type { Draft } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { saveMapping } from './save-mapping.ts'

interface Props {
  webhookId: string
  draft: Draft
  /** The mapping with the changes of the draft. */
  mapping: Mapping
  changes: number
  onDiscard(): void
  onSaved(saved: Draft, undo: Draft): void
}

/** Shown while there are unsaved changes. */
export function SaveBar({ webhookId, draft, mapping, changes, onDiscard, onSaved }: Props) {
  const dryRun = useQuery({ ...dryRunQuery(webhookId, mapping), enabled: false, placeholderData: undefined })
  const loses = dryRun.data !== undefined && losesSomething(dryRun.data)
  const save = useMutation({
    // Saves only after the dry run: if it finds a loss, that is shown beside the button first.
    mutationFn: async (saved: Draft) => {
      if (dryRun.data === undefined && losesSomething(await queryClient.fetchQuery(dryRunQuery(webhookId, mapping))))
        return null
      return saveMapping(webhookId, saved)
    },
    onSuccess: (undo, saved) => {
      if (undo) onSaved(saved, undo)
    },
  })
  return (
    <section ref={bottomBar} className={styles.bar} aria-label={t`Unsaved changes`}>
      <div>
        <Text fw={600} visibleFrom="sm">
          {plural(changes, { one: '# unsaved change', other: '# unsaved changes' })}
        </Text>
        <DryRun webhookId={webhookId} mapping={mapping} />
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={onDiscard}>
          <Trans>Discard</Trans>
        </Button>
        <WaitingButton waiting={save.isPending} color={loses ? 'red.9' : undefined} onClick={() => save.mutate(draft)}>
          {loses ? t`Save anyway` : plural(changes, { one: 'Save # change', other: 'Save # changes' })}
        </WaitingButton>
      </Group>
      <Problem error={save.variables === draft ? save.error : null} />
    </section>
  )
}
