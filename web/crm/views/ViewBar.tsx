import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Badge, Button, Group, Select, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import type { View } from '#contract/crm/views'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { isFiltered } from '../leads/LeadFilters.tsx'
import type { LeadListSearch } from '../leads/lead-search.ts'
import { useListSearch } from '../leads/use-list-search.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { addView, changeView, removeView, viewsQuery } from './queries.ts'
import { useSharing } from './use-sharing.ts'
import { useShownColumns } from './use-shown-columns.ts'
import { isChanged, searchOfView, viewSearchOf } from './view-search.ts'

const ViewNameDialog = lazy(() => import('./ViewNameDialog.tsx'))

/** The open view, and what can be done with it. On a phone also the choice of a view, which is in the side bar elsewhere. */
export default function ViewBar() {
  const { search } = useListSearch()
  const { chosen } = useShownColumns()
  const navigate = useNavigate()
  const narrow = useNarrow()
  const shareWith = useSharing()
  const { data: views = [] } = useQuery(viewsQuery)
  const [named, setNamed] = useState<View | 'new'>()
  // The dialog stays while it closes.
  const asked = useRef(false)
  asked.current ||= named !== undefined
  const view = views.find(({ id }) => id === search.view)
  const changed = view !== undefined && isChanged(view, search)
  const mayChange = view?.may_change === true
  const hasChoice = narrow && views.length > 0

  const open = (search: LeadListSearch) => void navigate({ to: '/leads', search: search as never })
  const add = async (name: string, shared: boolean) => {
    const saved = viewSearchOf({ ...search, columns: chosen })
    open(searchOfView({ id: await addView({ name, search: saved, shared }), search: saved }))
  }
  const save = async (view: View) => {
    await changeView(view.id, { search: viewSearchOf(search), was: { search: view.search } })
    notify(t`Saved “${{ name: view.name }}”`, () => changeView(view.id, { search: view.search }))
  }
  const share = async ({ id, name }: View, shared: boolean) => {
    await changeView(id, { shared })
    const undo = () => changeView(id, { shared: !shared })
    notify(shared ? shareWith!.shared(name) : t`Only you see “${name}” now`, undo)
  }
  const drop = async ({ id, name, search, shared }: View) => {
    await removeView(id)
    open({})
    notify(t`Deleted “${name}”`, async () =>
      open(searchOfView({ id: await addView({ name, search, shared }), search })),
    )
  }
  const run = (work: Promise<unknown>) => void work.catch(notifyProblem)

  return (
    <Group gap={8} miw={0} wrap={narrow ? 'wrap' : 'nowrap'} w={hasChoice ? '100%' : undefined}>
      {hasChoice ? (
        <Select
          aria-label={t`View`}
          placeholder={t`All leads`}
          data={views.map(({ id, name }) => ({ value: id, label: name }))}
          value={view?.id ?? null}
          onChange={(id) => {
            const chosen = views.find((one) => one.id === id)
            open(chosen ? searchOfView(chosen) : {})
          }}
          clearable
          clearButtonProps={{ 'aria-label': t`Show all leads` }}
          flex={changed ? '1 1 100%' : '1 1 200px'}
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
            <Trans>Changed</Trans>
          </Badge>
          {mayChange && (
            <Button variant="light" size="compact-sm" flex="none" onClick={() => run(save(view))}>
              <Trans>Save</Trans>
            </Button>
          )}
          <Button variant="subtle" color="gray" size="compact-sm" flex="none" onClick={() => open(searchOfView(view))}>
            <Trans>Reset</Trans>
          </Button>
        </>
      )}
      {!view && (isFiltered(search) || search.sort || search.reverse) && (
        <Button variant="light" size="compact-sm" flex="none" onClick={() => setNamed('new')}>
          <Trans>Save view</Trans>
        </Button>
      )}
      {view && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for view ${{ name: view.name }}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setNamed('new')}>
              <Trans>Save as new view</Trans>
            </Menu.Item>
            {mayChange && (
              <Menu.Item onClick={() => setNamed(view)}>
                <Trans>Rename</Trans>
              </Menu.Item>
            )}
            {shareWith && mayChange && (
              <Menu.Item onClick={() => run(share(view, !view.shared))}>
                {view.shared ? t`Stop sharing` : shareWith.label}
              </Menu.Item>
            )}
            {mayChange && (
              <Menu.Item color="red" onClick={() => run(drop(view))}>
                <Trans>Delete view</Trans>
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {!narrow && <ColumnsMenu />}
      {asked.current && (
        <Suspense>
          <ViewNameDialog named={named} onAdd={add} onClose={() => setNamed(undefined)} />
        </Suspense>
      )}
    </Group>
  )
}
