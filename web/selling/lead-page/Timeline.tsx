import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import type { LeadInFull, TimelineEntry } from '#contract/crm/leads'
import { Problem } from '../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import styles from './Lead.module.css'
import { useTimeline } from './queries.ts'
import { TimelineItem } from './TimelineItem.tsx'

const kinds = {
  All: () => true,
  Calls: ({ kind }: TimelineEntry) => kind.startsWith('call_'),
  Changes: ({ kind }: TimelineEntry) => !kind.startsWith('call_'),
}
type Kind = keyof typeof kinds
const kindNames: Record<Kind, string> = { All: t`All`, Calls: t`Calls`, Changes: t`Changes` }

type Saved = [TimelineEntry, ...TimelineEntry[]]

/** Puts a call together with what was changed of the lead as it was logged. */
function bySave(entries: TimelineEntry[]): Saved[] {
  const saves: Saved[] = []
  for (const entry of entries) {
    const [call] = saves.at(-1) ?? []
    if (call?.kind === 'call_logged' && entry.kind === 'changed' && entry.at === call.at) saves.at(-1)!.push(entry)
    else saves.push([entry])
  }
  return saves
}

/** Shown at first if the timeline is folded. */
const few = 5

/** The entries of a lead, newest first. Folded, it leaves the calls at first to their own list above it. */
export function Timeline({ lead, headings, folded = false }: { lead: LeadInFull; headings: 2 | 3; folded?: boolean }) {
  const { total } = lead.timeline
  const { known, ...older } = useTimeline(lead)
  const [kind, setKind] = useState<Kind>(folded ? 'Changes' : 'All')
  const [unfolded, setUnfolded] = useState(!folded)
  const found = bySave(known.filter(kinds[kind]))
  const shown = unfolded ? found : found.slice(0, few)
  const list = useRef<HTMLOListElement>(null)
  const unfold = () => {
    setUnfolded(true)
    list.current?.focus({ preventScroll: true })
  }

  return (
    <section>
      <Group justify="space-between" mb={12} gap={8}>
        <Title order={headings} size="h2">
          <Trans>Timeline</Trans>
        </Title>
        <SegmentedControl
          aria-label={t`Timeline filter`}
          size="xs"
          transitionDuration={0}
          data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(chosen) => setKind(chosen as Kind)}
        />
      </Group>
      <ol ref={list} className={styles.list} aria-label={t`Timeline`} tabIndex={-1}>
        {shown.map(([entry, ...changes]) => (
          <TimelineItem key={entry.id} leadId={lead.id} entry={entry} changes={changes} />
        ))}
      </ol>
      {shown.length === 0 && (
        <Text c="dimmed">
          {known.length < total
            ? t`None among the newest entries.`
            : kind === 'Calls'
              ? t`No calls yet.`
              : t`No entries yet.`}
        </Text>
      )}
      <Problem error={older.error} retry={older.retry} />
      {shown.length < found.length && (
        <Button variant="default" size="xs" mih={32} mt={8} onClick={unfold}>
          <Trans>Show more</Trans>
        </Button>
      )}
      {shown.length === found.length && known.length < total && !older.error && (
        <WaitingButton variant="default" size="xs" mih={32} mt={8} waiting={older.isFetching} onClick={older.ask}>
          <Trans>Show older</Trans>
        </WaitingButton>
      )}
    </section>
  )
}
