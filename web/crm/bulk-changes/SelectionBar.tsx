import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { maxLeads, type NewBulkChange } from '#contract/crm/bulk-changes'
import { type LeadStatus, leadPriorities, leadStatuses } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { exportItems, type Found } from '../../platform/ui/ExportMenu.tsx'
import { bottomBar } from '../../platform/ui/keep-room.ts'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { usePageKeys } from '../../platform/ui/page-keys.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { LostReasonDialog } from '../leads/LostReasonDialog.tsx'
import type { LeadListSearch } from '../leads/lead-search.ts'
import { priorityNames, statusNames } from '../leads/lead-words.ts'
import { choicesQuery, chosenBy } from '../leads/queries.ts'
import { SelectAllButton } from '../leads/SelectAllButton.tsx'
import { useCallAgainTimes } from '../leads/use-call-again-times.ts'
import type { LeadSelection } from '../leads/use-selection.ts'
import { useLeadFiles } from '../views/use-lead-files.ts'
import styles from './BulkChanges.module.css'
import { CallAgainDialog } from './CallAgainDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { downloadChosen } from './download-chosen.ts'
import { OwnerMenu } from './OwnerMenu.tsx'
import { countQuery, startBulkChange } from './queries.ts'
import { SplitDialog } from './SplitDialog.tsx'
import { TagsDialog } from './TagsDialog.tsx'

type Change = NewBulkChange['change']
type Dialog = 'split' | 'lost-reason' | 'call-again' | 'tags' | 'delete'

interface Props {
  search: LeadListSearch
  selection: LeadSelection
  found: Found
}

/** What can be done with the selected leads. */
export default function SelectionBar({ search, selection, found }: Props) {
  const narrow = useNarrow()
  const me = useMe()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: choices } = useQuery(choicesQuery)
  const { data: account } = useQuery(accountQuery)
  const reasons = account?.lost_reasons ?? []
  const times = useCallAgainTimes()
  const { ids, isAll, clear } = selection
  const people = (choices?.people ?? []).filter(({ active }) => active)
  const filters = chosenBy(search)
  const files = useLeadFiles(search, isAll ? undefined : (file) => void downloadChosen(ids, file).catch(notifyProblem))
  const isMore = isAll && found.capped
  const { data: counted, error } = useQuery({ ...countQuery(given(filters)), enabled: isMore })
  const count = isAll ? (counted ?? found.total) : ids.length
  const isOff = busy || count === 0 || (isMore && counted === undefined)
  usePageKeys([['Escape', clear]])

  async function run(change: Change) {
    setBusy(true)
    try {
      await startBulkChange({ ...(isAll ? { matching: given(filters) } : { ids }), change })
      setDialog(null)
      clear()
    } finally {
      setBusy(false)
    }
  }
  const apply = (change: Change) => void run(change).catch(notifyProblem)
  const setStatus = (status: LeadStatus) =>
    status === 'Lost' && reasons.length > 0 ? setDialog('lost-reason') : apply({ status })

  const owner = me.role !== 'Agent' && (
    <OwnerMenu
      people={people}
      disabled={isOff}
      onAssign={(email) => apply({ assign_to: email === null ? null : [{ email, weight: 1 }] })}
      onSplit={() => setDialog('split')}
      mayUnassign={me.role === 'Admin'}
    />
  )
  const status = (
    <Choice label={t`Status`} disabled={isOff}>
      {leadStatuses.map((value) => (
        <Menu.Item key={value} onClick={() => setStatus(value)}>
          {statusNames[value]}
        </Menu.Item>
      ))}
    </Choice>
  )
  const exports = me.may_export && (
    <Choice label={t`Export`} disabled={busy || count === 0}>
      {exportItems(files)}
    </Choice>
  )
  const more = (
    <Menu position="top-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t`More actions for the selected leads`} disabled={isOff}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {leadPriorities.toReversed().map((value) => (
          <Menu.Item key={value} onClick={() => apply({ priority: value })}>
            {t`Priority ${{ priority: priorityNames[value] }}`}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {times.slice(0, 4).map(({ at, label }) => (
          <Menu.Item key={at} onClick={() => apply({ call_again_at: at })}>
            {t`Call again ${{ time: label }}`}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => setDialog('call-again')}>
          <Trans>Call again at…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => apply({ call_again_at: null })}>
          <Trans>Clear call again</Trans>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => setDialog('tags')}>
          <Trans>Add or remove tags…</Trans>
        </Menu.Item>
        {me.may_delete && (
          <Menu.Item color="red" onClick={() => setDialog('delete')}>
            <Trans>Delete…</Trans>
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )

  return (
    <section ref={bottomBar} className={styles.selection} aria-label={t`Selected leads`}>
      <div className={styles.row}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t`Clear the selection`} onClick={clear}>
          <IconX size={18} />
        </ActionIcon>
        <span className={styles.count} role="status">
          {count === 0 ? t`Select leads` : t`${{ count: formatNumber(count) }} selected`}
        </span>
        {!isAll && (found.capped || found.total > ids.length) && found.total > 0 && (
          <SelectAllButton found={found} onSelect={selection.selectAll} />
        )}
      </div>
      <div className={styles.row} style={narrow ? {} : { marginLeft: 'auto' }}>
        {owner}
        {status}
        {exports}
        {more}
      </div>
      {isMore && <Problem error={error} />}
      {count > maxLeads && (
        <span role="alert">
          {t`A bulk change covers at most ${plural(maxLeads, { one: '# lead', other: '# leads' })}. Choose fewer by a filter.`}
        </span>
      )}
      <SplitDialog
        opened={dialog === 'split'}
        onClose={() => setDialog(null)}
        people={people}
        count={count}
        onSave={run}
      />
      <LostReasonDialog
        opened={dialog === 'lost-reason'}
        question={plural(count, { one: 'Why was # lead lost?', other: 'Why were # leads lost?' })}
        reasons={reasons}
        onChoose={(lost_reason) => {
          setDialog(null)
          apply({ status: 'Lost', lost_reason })
        }}
        onClose={() => setDialog(null)}
      />
      <CallAgainDialog opened={dialog === 'call-again'} onClose={() => setDialog(null)} count={count} onSave={run} />
      <TagsDialog opened={dialog === 'tags'} onClose={() => setDialog(null)} count={count} onSave={run} />
      <DeleteDialog opened={dialog === 'delete'} onClose={() => setDialog(null)} count={count} onSave={run} />
    </section>
  )
}

function Choice({ label, disabled, children }: { label: string; disabled: boolean; children: ReactNode }) {
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button variant="default" disabled={disabled}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** Without the filters that are not set. */
const given = (filters: object) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as NewBulkChange['matching']
