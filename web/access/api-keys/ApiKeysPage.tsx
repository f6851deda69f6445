import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, Button, Collapse, EmptyState } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShownKey } from '#contract/access/api-keys'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { KeyForm } from './KeyForm.tsx'
import { type KeyAct, KeyTable } from './KeyTable.tsx'
import { type NewKey, NewKeyDialog } from './NewKeyDialog.tsx'
import { keysQuery } from './queries.ts'
import { RevokeKey } from './RevokeKey.tsx'

type Open = { act: 'create' } | { act: KeyAct; key: ShownKey }

export function ApiKeysPage() {
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const noteOpener = useReturnFocus(open !== null || newKey !== null)
  const start = (what: Open) => {
    noteOpener()
    // The dialog shows the current last use of the key.
    if (what.act === 'regenerate' || what.act === 'revoke') void refetch()
    setOpen(what)
  }
  const close = () => setOpen(null)
  useAddKey(() => start({ act: 'create' }))
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => start({ act: 'create' })}>
      <Trans>Create key</Trans>
    </Button>
  )
  const active = keys?.filter(({ revoked_at }) => !revoked_at)
  const revoked = keys?.filter(({ revoked_at }) => revoked_at) ?? []

  return (
    <Page
      title={t`API keys`}
      wide
      about={
        <Trans>
          Programs use a key to send leads and log calls. It acts as its linked user. See the{' '}
          <Anchor underline="always" href="/docs/">
            API reference
          </Anchor>
          , or start with the{' '}
          <Anchor component={Link} underline="always" to="/first-request">
            API quick start
          </Anchor>
          .
        </Trans>
      }
      actions={create}
    >
      {error && !keys ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <KeyTable
          label={t`API keys`}
          keys={active}
          onAct={(act, key) => start({ act, key })}
          empty={
            <EmptyState
              mt={32}
              icon={<IconKey />}
              title={revoked.length > 0 ? t`All keys are revoked` : t`No keys yet`}
              description={t`Create one key per program, with only the permissions it needs.`}
            >
              <EmptyState.Actions>
                <Button variant="default" onClick={() => start({ act: 'create' })}>
                  {revoked.length > 0 ? t`Create a new key` : t`Create the first key`}
                </Button>
              </EmptyState.Actions>
            </EmptyState>
          }
        />
      )}
      {revoked.length > 0 && <Revoked keys={revoked} />}

      {open?.act === 'create' && <KeyForm onClose={close} onCreated={setNewKey} />}
      {open?.act === 'change' && <KeyForm of={open.key} onClose={close} />}
      {(open?.act === 'regenerate' || open?.act === 'revoke') && (
        <RevokeKey
          of={keys?.find(({ id }) => id === open.key.id) ?? open.key}
          how={open.act}
          onClose={close}
          onRegenerated={setNewKey}
        />
      )}
      {newKey && <NewKeyDialog apiKey={newKey} onClose={() => setNewKey(null)} />}
    </Page>
  )
}

const route = getRouteApi('/signed-in/admins/settings/api-keys')

function Revoked({ keys }: { keys: ShownKey[] }) {
  const { revoked: shown = false } = route.useSearch()
  const navigate = route.useNavigate()
  const toggle = () =>
    void navigate({ search: { revoked: shown ? undefined : true }, replace: true, resetScroll: false })
  return (
    <Box mt={24}>
      <Button
        variant="subtle"
        color="gray"
        mb={8}
        leftSection={shown ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        aria-expanded={shown}
        onClick={toggle}
      >
        {shown ? t`Hide revoked` : t`Show revoked (${{ count: formatNumber(keys.length) }})`}
      </Button>
      <Collapse expanded={shown} keepMounted={false} transitionDuration={120}>
        <KeyTable label={t`Revoked keys`} keys={keys} />
      </Collapse>
    </Box>
  )
}
