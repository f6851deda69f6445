import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, Group, List, MultiSelect, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ListedUser, Reassignment } from '#contract/access/account'
import { compareNames } from '#contract/platform/text'
import { evenShares } from '#contract/setup/team'
import { useUserStates } from '../../crm/availability/use-user-states.ts'
import { ApiProblem, type Data, post } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { keysOfQuery, leadsOfQuery, useActivate, useUsersChanged } from './queries.ts'
import { sharesInWords } from './shares-in-words.ts'
import { firstName, nameOf } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
  /** All users of the account. */
  users: ListedUser[]
}

/** Deactivates a user and reassigns their leads. For a deactivated user, only reassigns. */
export function DeactivateDialog({ user, opened, onClose, users }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={user.active ? t`Deactivate ${{ name: user.name }}?` : t`Reassign leads of ${{ name: user.name }}`}
    >
      <Deactivation user={user} users={users} onClose={onClose} />
    </Modal>
  )
}

interface Answer {
  leads_reassigned: number
  reassignment: Reassignment | null
}

type Choice = 'user' | 'unassigned' | 'stay'

function Deactivation({ user, users, onClose }: Omit<Props, 'opened'>) {
  const first = firstName(user.name)
  const leads = useQuery(leadsOfQuery(user.email))
  const keys = useQuery(keysOfQuery(user.id))
  const { withState } = useUserStates()
  const changed = useUsersChanged()
  const activate = useActivate()
  const [choice, setChoice] = useState<Choice>('user')
  const [newOwners, setNewOwners] = useState<string[]>([])
  const [withClosed, setWithClosed] = useState(false)
  const newOwnerField = useRef<HTMLInputElement>(null)
  const others = users
    .filter(({ id, active }) => active && id !== user.id)
    .toSorted((one, other) => compareNames(one.name, other.name))
  const { open = 0, closed = 0 } = leads.data ?? {}
  const toMove = withClosed ? open + closed : open
  const hasLeads = open + closed > 0
  const sharesOf = (leads: number) => sharesInWords(evenShares(newOwners, leads), nameOf(users))

  const deactivate = useMutation({
    mutationFn: async () => {
      if (toMove > 0 && choice === 'user' && newOwners.length === 0)
        throw new ApiProblem(400, { code: 'MISSING_PARAM', message: t`Choose the new owners.`, field: 'reassign_to' })
      const reassign_to = toMove === 0 || choice === 'stay' ? undefined : choice === 'unassigned' ? null : newOwners
      const asked = { reassign_to, with_closed: withClosed }
      return (await post<Data<Answer>>(`/web/users/${user.id}/deactivation`, asked)).data
    },
    onSuccess: async ({ leads_reassigned: moved, reassignment }) => {
      await changed()
      onClose()
      const newOwner = choice === 'user' && sharesOf(moved)
      const result =
        moved === 0
          ? t`No leads reassigned.`
          : newOwner
            ? t`${plural(moved, { one: '# lead', other: '# leads' })} reassigned to ${newOwner}.`
            : plural(moved, { one: '# lead unassigned.', other: '# leads unassigned.' })
      const deactivated = t`${{ name: user.name }} is deactivated.`
      if (reassignment?.state === 'running') {
        const all = plural(
          { total: reassignment.total },
          { one: '# lead is being reassigned.', other: '# leads are being reassigned.' },
        )
        return notify(user.active ? `${deactivated} ${all}` : all)
      }
      if (!user.active) return notify(result)
      notify(`${deactivated} ${result}`, moved > 0 ? undefined : () => activate.mutate(user))
    },
    onError: (error) => {
      if (isUnchosen(error)) newOwnerField.current?.focus()
    },
  })
  const unchosen = isUnchosen(deactivate.error)

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        deactivate.mutate()
      }}
    >
      <Stack gap={16}>
        {user.active && (
          <div>
            <Text mb={4}>{t`When you deactivate ${first}:`}</Text>
            <List spacing={4}>
              <List.Item>{t`${first} is signed out everywhere and cannot sign in.`}</List.Item>
              {keys.data?.length !== 0 && <List.Item>{keySentence(keys.data)}</List.Item>}
              <List.Item>{t`Distribution rules skip them.`}</List.Item>
            </List>
          </div>
        )}
        {leads.isPending ? (
          <Skeleton height={160} />
        ) : leads.isSuccess && !hasLeads ? (
          <Text>{t`${first} has no leads.`}</Text>
        ) : (
          <Radio.Group
            label={leadQuestion(first, open)}
            value={choice}
            onChange={(chosen) => {
              setChoice(chosen as Choice)
              deactivate.reset()
            }}
          >
            <Stack gap={12} mt={8}>
              <Radio value="user" label={t`Other users`} />
              {choice === 'user' && (
                <MultiSelect
                  ref={newOwnerField}
                  aria-label={t`New owners`}
                  placeholder={newOwners.length === 0 ? t`Choose users` : undefined}
                  description={newOwners.length > 1 ? t`Shared evenly: ${{ shares: sharesOf(toMove) }}.` : undefined}
                  ml={28}
                  data={others.map((user) => ({ value: user.id, label: withState(labelOf(user, others), user.id) }))}
                  // It leaves the buttons free.
                  maxDropdownHeight={170}
                  value={newOwners}
                  maxValues={50}
                  onChange={(chosen) => {
                    setNewOwners(chosen)
                    deactivate.reset()
                  }}
                  searchable
                  hidePickedOptions
                  {...enterOnlyChooses}
                  nothingFoundMessage={t`No matches`}
                  error={unchosen && deactivate.error?.message}
                  autoFocus
                />
              )}
              <Radio value="unassigned" label={t`Unassigned`} description={t`Admins see them and can assign them.`} />
              {user.active && (
                <Radio value="stay" label={t`Leave them with ${first}`} description={t`You can reassign them later.`} />
              )}
              {closed > 0 && choice !== 'stay' && (
                <Checkbox
                  label={t`Also ${plural(closed, { one: '# won or lost lead', other: '# won and lost leads' })}`}
                  description={t`Reports still count them for ${first}.`}
                  checked={withClosed}
                  onChange={({ currentTarget }) => setWithClosed(currentTarget.checked)}
                />
              )}
            </Stack>
          </Radio.Group>
        )}
        <Problem error={leads.error} retry={() => void leads.refetch()} />
        <Problem error={unchosen ? null : deactivate.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            color={user.active ? 'red.9' : undefined}
            disabled={!leads.isSuccess || (!user.active && toMove === 0)}
            loading={deactivate.isPending}
          >
            {user.active ? t`Deactivate ${first}` : t`Reassign leads`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Users of the same name also have their email. */
function labelOf({ name, email }: ListedUser, users: ListedUser[]): string {
  const isOneOfSeveral = users.filter((user) => user.name === name).length > 1
  return isOneOfSeveral ? `${name} · ${email}` : name
}

const isUnchosen = (error: unknown) => error instanceof ApiProblem && error.field === 'reassign_to'

function keySentence(names: string[] | undefined): string {
  if (!names) return t`Their API keys stop working.`
  const keys = names.join(', ')
  return plural(
    { count: names.length },
    { one: `Their API key stops working (${keys}).`, other: `Their API keys stop working (${keys}).` },
  )
}

function leadQuestion(first: string, open: number): string {
  return plural(open, {
    one: `${first} has # open lead. Reassign it to`,
    other: `${first} has # open leads. Reassign them to`,
  })
}
