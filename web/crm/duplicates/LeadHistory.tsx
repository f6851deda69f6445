import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text, Title } from '@mantine/core'
import type { LeadInFull } from '#contract/crm/leads'
import { Arrows } from '../../platform/ui/Arrows.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import styles from './Duplicates.module.css'

/** As many entries of both leads as a user compares. The page of a lead has all of them. */
const shown = 12

/** The notes of a lead and its latest timeline entries, which include its calls. */
export function LeadHistory({ lead: { id, name, notes, timeline } }: { lead: LeadInFull }) {
  const more = timeline.total - Math.min(shown, timeline.entries.length)
  return (
    <div>
      <Title order={3} mb={8}>
        {name}
      </Title>
      {notes && (
        <div className={styles.entry}>
          <Text size="xs" c="dimmed">
            <Trans>Notes</Trans>
          </Text>
          <div className={styles.entryText}>{notes.length > 600 ? `${notes.slice(0, 600)}…` : notes}</div>
        </div>
      )}
      <ul className={styles.history} aria-label={t`Timeline of ${name}`} key={id}>
        {timeline.entries.slice(0, shown).map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <div className={styles.entryText}>
              <Arrows text={entry.summary} />
            </div>
            <Text size="xs" c="dimmed">
              {formatDateTime(entry.at)}
            </Text>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed" pt={8}>
          {t`And ${plural(more, { one: '# older entry', other: '# older entries' })}`}
        </Text>
      )}
    </div>
  )
}
