import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useId } from 'react'
import type { AuditEntry } from '#contract/access/audit'
import { auditSearch } from '../../access/audit/audit-search.ts'
import { Arrows } from '../../platform/ui/Arrows.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'
import { sharesInWords } from '../../setup/team/shares-in-words.ts'
import styles from './AuditPage.module.css'
import { describeActor, sentenceOfRun, subjectName } from './audit-words.ts'
import { describeDetails } from './detail-words.ts'
import type { Run } from './runs.ts'

interface Props {
  run: Run
  /** Whether entries that are not loaded yet may continue the run. */
  goesOn: boolean
  userName(id: string): string | undefined
}

/** Shows an entry or a run as one sentence, with its details on demand. */
export function AuditEntryRow({ run, goesOn, userName }: Props) {
  const [entry] = run
  const [opened, { toggle }] = useDisclosure()
  const id = useId()
  const { way } = describeActor(entry)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <li>
      <time dateTime={entry.at} className={styles.time}>
        {clock(entry.at)}
      </time>
      <p className={styles.sentence}>
        {filled(run, sentenceOfRun(run, goesOn), userName)}{' '}
        {way && (
          <Text span inherit c="dimmed">
            {way}
          </Text>
        )}
      </p>
      <UnstyledButton className={styles.more} onClick={toggle} aria-expanded={opened} aria-controls={id}>
        <Chevron size={14} aria-hidden />
        <Trans>Details</Trans>
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={100} id={id} className={styles.opened}>
        {opened && (run.length > 1 ? <Each run={run} /> : <Details entry={entry} userName={userName} />)}
      </Collapse>
    </li>
  )
}

/** Lists the time and the id of each entry. Only leads have a page to link to. */
function Each({ run }: { run: Run }) {
  return (
    <dl className={styles.details}>
      {run.map(({ id, at, action, subject_id }) => (
        <Fragment key={id}>
          <dt>{clock(at)}</dt>
          <dd>
            {action.startsWith('lead.') && subject_id ? (
              <Link to="/leads/$leadId" params={{ leadId: subject_id }} className={styles.link}>
                {t`Lead ${{ id: subject_id }}`}
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

function Details({ entry, userName }: { entry: AuditEntry; userName: Props['userName'] }) {
  const rows = [
    ...describeDetails(entry, userName),
    ...(entry.user ? [{ label: t`Email`, text: entry.user.email }] : []),
    { label: t`Time`, text: t`${{ time: formatDateTime(entry.at) }} IST` },
    { label: t`Action`, text: entry.action },
    ...(entry.subject_id ? [{ label: t`Id`, text: entry.subject_id }] : []),
  ]
  const source =
    entry.action === 'leads.imported'
      ? entry.import_id
      : /^leads\.(bulk_|import_undone)/.test(entry.action) && entry.subject_id
  return (
    <dl className={styles.details}>
      {rows.map(({ label, text }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>
            <Arrows text={text} />
          </dd>
        </Fragment>
      ))}
      {source && (
        <>
          <dt>
            <Trans>Changes</Trans>
          </dt>
          <dd>
            <Link to="/settings/audit" search={auditSearch({ import_id: source })} className={styles.link}>
              {entry.action.startsWith('leads.import')
                ? t`Show the leads and calls of this import`
                : t`Show the leads of this bulk change`}
            </Link>
          </dd>
        </>
      )}
    </dl>
  )
}

function filled([entry]: Run, sentence: string, userName: Props['userName']): ReactNode[] {
  return sentence.split(/(\{\w+\})/).map((part, index) => {
    const key = `${index} ${part}`
    if (part === '{who}') return <b key={key}>{describeActor(entry).who}</b>
    if (part === '{name}') return <b key={key}>{subjectName(entry)}</b>
    if (part === '{to}') return <b key={key}>{newOwners(entry.details, (id) => userName(id) ?? t`somebody else`)}</b>
    if (part === '{lead}' && entry.subject_id)
      return (
        <Link key={key} to="/leads/$leadId" params={{ leadId: entry.subject_id }} className={styles.link}>
          <Trans>a lead</Trans>
        </Link>
      )
    return part === '{lead}' ? t`a lead` : part
  })
}

const newOwners = ({ to, to_users }: AuditEntry['details'], userName: (id: string) => string) =>
  to ? userName(String(to)) : sharesInWords(to_users as { user_id: string; leads: number }[], userName)

const clock = (at: string) => wallClock(Date.parse(at)).split('T')[1]
