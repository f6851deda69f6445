import { Button, Menu } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { type ViewColumn, viewColumns } from '#contract/views'
import { useMe } from '../me.ts'
import { useShownColumns } from './use-shown-columns.ts'
import { toggleColumn } from './view-search.ts'

const labels: Record<ViewColumn, string> = {
  phone: 'Phone',
  source: 'Source',
  priority: 'Priority',
  deal_value: 'Deal value',
  city: 'City',
  owner: 'Owner',
  last_call: 'Last call',
  enquired_again: 'Enquired again',
  attempts: 'Attempts',
  created: 'Created',
}

/** Chooses the columns of the list. */
export function ColumnsMenu() {
  const { shown, show } = useShownColumns()
  const isAgent = useMe().role === 'Agent'
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {viewColumns
          .filter((column) => !isAgent || column !== 'owner')
          .map((column) => {
            const isShown = (shown ?? viewColumns).includes(column)
            return (
              <Menu.CheckboxItem key={column} checked={isShown} onChange={() => show(toggleColumn(shown, column))}>
                {labels[column]}
              </Menu.CheckboxItem>
            )
          })}
        <Menu.Divider />
        <Menu.Item disabled={shown === undefined} onClick={() => show(undefined)}>
          Show all that fit
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
