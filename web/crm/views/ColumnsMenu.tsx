import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Menu } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { type ViewColumn, viewColumns } from '#contract/crm/views'
import { useMe } from '../../access/account/me.ts'
import { useShownColumns } from './use-shown-columns.ts'
import { toggleColumn } from './view-search.ts'

const labels: Record<ViewColumn, string> = {
  phone: t`Phone`,
  source: t`Source`,
  priority: t`Priority`,
  deal_value: t`Deal value`,
  city: t`City`,
  owner: t`Owner`,
  last_call: t`Last call`,
  enquired_again: t`Enquired again`,
  attempts: t`Attempts`,
  created: t`Created`,
}

/** Chooses the columns of the list. */
export function ColumnsMenu() {
  const { shown, show } = useShownColumns()
  const isAgent = useMe().role === 'Agent'
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconColumns size={16} aria-hidden />}>
          <Trans>Columns</Trans>
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
          <Trans>Show all that fit</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
