import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerColumn, type ListColumn, maxQuestions, type ViewColumn, viewColumns } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { Menu } from '../../platform/ui/Menu.tsx'
import { originNames } from '../enquiries/origin-names.ts'
import { questionsQuery } from '../leads/queries.ts'
import styles from './ColumnsMenu.module.css'
import { useShownColumns } from './use-shown-columns.ts'
import { questionsOf, toggleColumn } from './view-search.ts'

const labels: Record<ViewColumn, string> = {
  phone: t`Phone`,
  email: t`Email`,
  company: t`Company`,
  source: t`Source`,
  priority: t`Priority`,
  lost_reason: t`Lost reason`,
  deal_value: t`Deal value`,
  expected_close: t`Expected closing`,
  city: t`City`,
  tags: t`Tags`,
  ...originNames,
  owner: t`Owner`,
  call_again: t`Call again`,
  last_call: t`Last call`,
  enquired_again: t`Enquired again`,
  attempts: t`Attempts`,
  notes: t`Notes`,
  created: t`Created`,
  updated: t`Updated`,
  closed: t`Closed`,
}

/** Chooses the columns of the list. */
export function ColumnsMenu() {
  const { chosen, visible, used, show } = useShownColumns()
  const [opened, setOpened] = useState(false)
  const { data: frequent = [] } = useQuery({ ...questionsQuery, enabled: opened })
  const isAgent = useMe().role === 'Agent'
  const asked = questionsOf(visible)
  const questions = [...frequent, ...asked.filter((question) => !frequent.includes(question))]
  const item = (column: ListColumn, label: string, disabled = false) => (
    <Menu.CheckboxItem
      key={column}
      checked={visible.includes(column)}
      disabled={disabled}
      onChange={() => show(toggleColumn(visible, column, used))}
    >
      {label}
    </Menu.CheckboxItem>
  )
  return (
    <Menu position="bottom-end" closeOnItemClick={false} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconColumns size={16} aria-hidden />}>
          <Trans>Columns</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {viewColumns.filter((column) => !isAgent || column !== 'owner').map((column) => item(column, labels[column]))}
        {questions.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>
              <Trans>Answers, up to {maxQuestions}</Trans>
            </Menu.Label>
            {questions.map((question) =>
              item(answerColumn(question), question, asked.length === maxQuestions && !asked.includes(question)),
            )}
          </>
        )}
        <Menu.Divider />
        <Menu.Item disabled={chosen === undefined} onClick={() => show(undefined)}>
          <Trans>Show all that fit</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
