import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Spoiler, Text } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import type { FieldChange, TimelineEntry } from '#contract/crm/leads'
import { leadFieldName, priorityNames, statusNames } from '../../crm/leads/lead-words.ts'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { callOutcomeNames, callTypeNames } from '../../telephony/calls/call-words.ts'
import styles from './Lead.module.css'

/** Long texts are folded, unless the entry was opened with "Show all". */
type Shown = 'folded' | 'unfolded'

/** What an entry names beside the fields of leads: of a lead, and of a call. */
const otherNames: Record<string, string> = {
  message: t`Message`,
  other_contacts: t`Other contacts`,
  lost_reason: t`Lost reason`,
  expected_close: t`Expected closing`,
  call_again_at: t`Call again at`,
  no_next_step: t`No next step`,
  type: t`Type`,
  outcome: t`Outcome`,
  duration: t`Duration`,
  time: t`Time`,
}

const valueNames: Record<string, Record<string, string>> = {
  status: statusNames,
  priority: priorityNames,
  type: callTypeNames,
  outcome: callOutcomeNames,
}

const nameOf = (field: string) => otherNames[field] ?? leadFieldName(field)

const ShownAs = createContext<Shown>('folded')

/** Each changed field before and after, the values that were not taken with the reason, and hidden submissions. */
export function ChangeTable({ details, shown }: Pick<TimelineEntry, 'details'> & { shown: Shown }) {
  const { changes = [], not_taken = [], submitted = {}, message } = details
  return (
    <ShownAs value={shown}>
      <dl className={styles.changes}>
        {changes.map((change) => (
          <Row key={change.field} field={change.field}>
            <Change {...change} />
          </Row>
        ))}
        {message !== undefined && (
          <Row field="message">
            <Value mark="+" text={message} />
          </Row>
        )}
        {not_taken.map(({ field, offered, reason }) => (
          <Row key={`not ${field}`} field={field}>
            <Value text={textOf(field, offered)} />
            <Text size="xs" c="dimmed">
              <Trans>Not taken: {reason}.</Trans>
            </Text>
          </Row>
        ))}
        {Object.entries(submitted).map(([field, value]) => (
          <Row key={`sent ${field}`} field={field}>
            <Value text={textOf(field, value)} />
          </Row>
        ))}
      </dl>
    </ShownAs>
  )
}

const Row = ({ field, children }: { field: string; children: ReactNode }) => (
  <div>
    <dt>{nameOf(field)}</dt>
    <dd>{children}</dd>
  </div>
)

function Change({ field, added, removed, ...change }: FieldChange) {
  if (added !== undefined || removed !== undefined)
    return (
      <>
        <Value mark="−" text={textOf(field, removed)} old />
        <Value mark="+" text={textOf(field, added)} />
      </>
    )
  const before = textOf(field, change.before)
  const after = textOf(field, change.after)
  // Older entries contain the notes before and after: only the new part is shown.
  if (field === 'notes' && before !== '' && after.startsWith(before))
    return <Value mark="+" text={after.slice(before.length).trim()} />
  return (
    <>
      <Value mark="−" text={before} old />
      <Value mark="+" text={after} />
    </>
  )
}

function Value({ text, mark, old = false }: { text: string; mark?: string; old?: boolean }) {
  const shown = use(ShownAs)
  if (text === '') return null
  return (
    <div className={styles.change} data-old={old || undefined}>
      {mark && <span className={styles.changeMark}>{mark}</span>}
      <Spoiler
        key={shown}
        maxHeight={shown === 'folded' ? 160 : Number.MAX_SAFE_INTEGER}
        classNames={{ control: styles.unfold! }}
        showLabel={t`Show all`}
        hideLabel={t`Show less`}
        transitionDuration={0}
      >
        {text}
      </Spoiler>
    </div>
  )
}

function textOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return field === 'assigned_to' ? t`Unassigned` : ''
  if (field === 'deal_value' && typeof value === 'number') return formatMoney(value)
  return Array.isArray(value) ? value.join(', ') : (valueNames[field]?.[String(value)] ?? String(value))
}
