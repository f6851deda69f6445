import { ActionIcon, Badge, Button, Group, Menu, Select, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { View } from '#contract/views'
import { isFiltered } from '../leads/LeadFilters.tsx'
import type { LeadListSearch } from '../leads/lead-search.ts'
import { useListSearch } from '../leads/use-list-search.ts'
import { useIsAdmin } from '../me.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { useNarrow } from '../ui/screen-size.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { addView, changeView, removeView, viewsQuery } from './queries.ts'
import { useShownColumns } from './use-shown-columns.ts'
import { ViewNameDialog } from './ViewNameDialog.tsx'
import { isChanged, searchOfView, viewSearchOf } from './view-search.ts'

/** The open view, and what can be done with it. On a phone also the choice of a view, which is in the side bar elsewhere. */
export default function ViewBar() {
  const { search } = useListSearch()
  const { shown } = useShownColumns()
  const navigate = useNavigate()
  const narrow = useNarrow()
  const isAdmin = useIsAdmin()
  const { data: views = [] } = useQuery(viewsQuery)
  const [named, setNamed] = useState<View | 'new'>()
  const view = views.find(({ id }) => id === search.view)
  const changed = view !== undefined && isChanged(view, search)
  const mayChange = view !== undefined && (!view.shared || isAdmin)

  const open = (search: LeadListSearch) => void navigate({ to: '/leads', search: search as never })
  const add = async (name: string, shared: boolean) => {
    const saved = viewSearchOf({ ...search, columns: shown })
    open(searchOfView({ id: await addView({ name, search: saved, shared }), search: saved }))
  }
  const save = async (view: View) => {
    await changeView(view.id, { search: viewSearchOf(search), was: { search: view.search } })
    notify(`Saved “${view.name}”`, () => changeView(view.id, { search: view.search }))
  }
  const share = async ({ id, name }: View, shared: boolean) => {
    await changeView(id, { shared })
    const undo = () => changeView(id, { shared: !shared })
    notify(shared ? `Everyone sees “${name}” now` : `Only you see “${name}” now`, undo)
  }
  const drop = async ({ id, name, search, shared }: View) => {
    await removeView(id)
    open({})
    notify(`Deleted “${name}”`, async () => open(searchOfView({ id: await addView({ name, search, shared }), search })))
  }
  const run = (work: Promise<unknown>) => void work.catch(notifyProblem)

  return (
    <Group gap={8} miw={0} wrap={narrow ? 'wrap' : 'nowrap'}>
      {narrow && views.length > 0 ? (
        <Select
          aria-label="View"
          placeholder="All leads"
          data={views.map(({ id, name }) => ({ value: id, label: name }))}
          value={view?.id ?? null}
          onChange={(id) => {
            const chosen = views.find((one) => one.id === id)
            open(chosen ? searchOfView(chosen) : {})
          }}
          clearable
          clearButtonProps={{ 'aria-label': 'Show all leads' }}
          w={200}
        />
      ) : (
        view && (
          <Text size="sm" fw={500} truncate maw={320} title={view.name}>
            {view.name}
          </Text>
        )
      )}
      {changed && (
        <>
          <Badge variant="light" color="gray" tt="none" flex="none">
            Changed
          </Badge>
          {mayChange && (
            <Button variant="light" size="compact-sm" flex="none" onClick={() => run(save(view))}>
              Save
            </Button>
          )}
          <Button variant="subtle" color="gray" size="compact-sm" flex="none" onClick={() => open(searchOfView(view))}>
            Reset
          </Button>
        </>
      )}
      {!view && (isFiltered(search) || search.sort || search.reverse) && (
        <Button variant="light" size="compact-sm" flex="none" onClick={() => setNamed('new')}>
          Save view
        </Button>
      )}
      {view && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for view ${view.name}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setNamed('new')}>Save as new view</Menu.Item>
            {mayChange && <Menu.Item onClick={() => setNamed(view)}>Rename</Menu.Item>}
            {isAdmin && (
              <Menu.Item onClick={() => run(share(view, !view.shared))}>
                {view.shared ? 'Stop sharing' : 'Share with everyone'}
              </Menu.Item>
            )}
            {mayChange && (
              <Menu.Item color="red" onClick={() => run(drop(view))}>
                Delete view
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {!narrow && <ColumnsMenu />}
      <ViewNameDialog named={named} onAdd={add} onClose={() => setNamed(undefined)} />
    </Group>
  )
}
