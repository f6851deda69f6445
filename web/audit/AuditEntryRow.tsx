import { Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useId } from 'react'
import type { AuditEntry } from '#contract/audit'
import { formatDateTime } from '../ui/time.ts'
import styles from './AuditPage.module.css'
import { nameOf, sentenceOfRun, whoOf } from './audit-words.ts'
import { detailsOf } from './detail-words.ts'
import type { Run } from './runs.ts'

interface Props {
  run: Run
  /** There may be more of it in what is not loaded yet. */
  goesOn: boolean
  personName(id: string): string | undefined
}

/** One sentence; what else was recorded on demand. */
export function AuditEntryRow({ run, goesOn, personName }: Props) {
  const [entry] = run
  const [opened, { toggle }] = useDisclosure()
  const id = useId()
  const { who, way } = whoOf(entry)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <li>
      <time dateTime={entry.at} className={styles.time}>
        {clock(entry.at)}
      </time>
      <p className={styles.sentence}>
        <b>{who}</b> {filled(run, sentenceOfRun(run, goesOn), personName)}{' '}
        {way && (
          <Text span inherit c="dimmed">
            {way}
          </Text>
        )}
      </p>
      <UnstyledButton className={styles.more} onClick={toggle} aria-expanded={opened} aria-controls={id}>
        <Chevron size={14} aria-hidden />
        Details
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={100} id={id} className={styles.opened}>
        {opened && (run.length > 1 ? <Each run={run} /> : <Details entry={entry} personName={personName} />)}
      </Collapse>
    </li>
  )
}

/** A lead and a time for each of a run; calls have no page of their own. */
function Each({ run }: { run: Run }) {
  return (
    <dl className={styles.details}>
      {run.map(({ id, at, action, subject_id }) => (
        <Fragment key={id}>
          <dt>{clock(at)}</dt>
          <dd>
            {action.startsWith('lead.') && subject_id ? (
              <Link to="/leads/$leadId" params={{ leadId: subject_id }} className={styles.link}>
                Lead {subject_id}
              </Link>
            ) : (
              subject_id
            )}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Details({ entry, personName }: { entry: AuditEntry; personName: Props['personName'] }) {
  const rows = [
    ...detailsOf(entry, personName),
    ...(entry.user ? [{ label: 'Email', text: entry.user.email }] : []),
    { label: 'Time', text: `${formatDateTime(entry.at)} IST` },
    { label: 'Action', text: entry.action },
    ...(entry.subject_id ? [{ label: 'Id', text: entry.subject_id }] : []),
  ]
  return (
    <dl className={styles.details}>
      {rows.map(({ label, text }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function filled([entry]: Run, sentence: string, personName: Props['personName']): ReactNode[] {
  return sentence.split(/(\{\w+\})/).map((part, index) => {
    const key = `${index} ${part}`
    if (part === '{name}') return <b key={key}>{nameOf(entry)}</b>
    if (part === '{to}') return <b key={key}>{personName(String(entry.details.to)) ?? 'somebody else'}</b>
    if (part === '{lead}' && entry.subject_id)
      return (
        <Link key={key} to="/leads/$leadId" params={{ leadId: entry.subject_id }} className={styles.link}>
          a lead
        </Link>
      )
    return part === '{lead}' ? 'a lead' : part
  })
}

const clock = (at: string) => formatDateTime(at).split(', ')[1]
