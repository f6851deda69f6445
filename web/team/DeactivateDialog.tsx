import { Button, Group, List, Modal, Radio, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ListedUser, Reassignment } from '#contract/team'
import { ApiProblem, type Data, post } from '../api.ts'
import { notify } from '../ui/notify.tsx'
import { formatCount, formatNumber } from '../ui/numbers.ts'
import { Problem } from '../ui/Problem.tsx'
import { firstNameOf } from './person.ts'
import { keysOfQuery, leadsOfQuery, useActivate, usePeopleChanged } from './queries.ts'

interface Props {
  person: ListedUser
  opened: boolean
  onClose(): void
  /** Everyone of the account. */
  people: ListedUser[]
}

/** Ends somebody's access, or, where it has ended, hands over what they left. */
export function DeactivateDialog({ person, opened, onClose, people }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={person.active ? `Deactivate ${person.name}?` : `Reassign leads of ${person.name}`}
    >
      <Deactivation person={person} people={people} onClose={onClose} />
    </Modal>
  )
}

interface Answer {
  leads_reassigned: number
  reassignment: Reassignment | null
}

type Heir = 'person' | 'nobody' | 'stay'

function Deactivation({ person, people, onClose }: Omit<Props, 'opened'>) {
  const first = firstNameOf(person.name)
  const leads = useQuery(leadsOfQuery(person.email))
  const keys = useQuery(keysOfQuery(person.id))
  const changed = usePeopleChanged()
  const activate = useActivate()
  const [heir, setHeir] = useState<Heir>('person')
  const [heirId, setHeirId] = useState<string | null>(null)
  const heirField = useRef<HTMLInputElement>(null)
  const others = people.filter(({ id, active }) => active && id !== person.id)
  const hasLeads = (leads.data?.total ?? 0) > 0

  const deactivate = useMutation({
    mutationFn: async () => {
      if (hasLeads && heir === 'person' && !heirId)
        throw new ApiProblem(400, { code: 'MISSING_PARAM', message: 'Choose who gets them.', field: 'reassign_to' })
      const reassign_to = !hasLeads || heir === 'stay' ? undefined : heir === 'nobody' ? null : heirId
      const answer = await post<Data<Answer>>(`/web/people/${person.id}/deactivation`, { reassign_to })
      return answer.data
    },
    onSuccess: async ({ leads_reassigned: moved, reassignment }) => {
      await changed()
      onClose()
      const to = heir === 'person' ? (people.find(({ id }) => id === heirId)?.name ?? '') : 'nobody'
      const handed = moved > 0 ? `${formatCount(moved, 'lead')} reassigned to ${to}.` : 'No leads reassigned.'
      if (reassignment?.state === 'running') {
        const all = `${formatCount(reassignment.total, 'lead')} are being reassigned.`
        return notify(person.active ? `${person.name} is deactivated. ${all}` : all)
      }
      if (!person.active) return notify(handed)
      notify(`${person.name} is deactivated. ${handed}`, moved > 0 ? undefined : () => activate.mutate(person))
    },
    onError: (error) => {
      if (isUnchosen(error)) heirField.current?.focus()
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
        {person.active && (
          <div>
            <Text mb={4}>What stops:</Text>
            <List spacing={4} style={{ overflowWrap: 'anywhere' }}>
              <List.Item>{first} is signed out everywhere and cannot sign in.</List.Item>
              {keys.data?.length !== 0 && <List.Item>{keySentence(keys.data)}</List.Item>}
              <List.Item>Distribution rules pass them over.</List.Item>
            </List>
          </div>
        )}
        {leads.isPending ? (
          <Skeleton height={160} />
        ) : leads.isSuccess && !hasLeads ? (
          <Text>{first} has no leads.</Text>
        ) : (
          <Radio.Group
            label={leadQuestion(first, leads.data)}
            value={heir}
            onChange={(chosen) => {
              setHeir(chosen as Heir)
              deactivate.reset()
            }}
          >
            <Stack gap={12} mt={8}>
              <Radio value="person" label="Somebody else" />
              {heir === 'person' && (
                <Select
                  ref={heirField}
                  aria-label="Person who gets them"
                  placeholder="Choose a person"
                  ml={28}
                  data={others.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
                  value={heirId}
                  onChange={(chosen) => {
                    setHeirId(chosen)
                    deactivate.reset()
                  }}
                  searchable
                  nothingFoundMessage="Nobody like that"
                  error={unchosen && deactivate.error?.message}
                />
              )}
              <Radio value="nobody" label="Nobody" description="Admins see them, and can hand them out." />
              {person.active && (
                <Radio value="stay" label={`Leave them with ${first}`} description="They can be handed over later." />
              )}
            </Stack>
          </Radio.Group>
        )}
        <Problem error={leads.error} retry={() => void leads.refetch()} />
        <Problem error={unchosen ? null : deactivate.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            type="submit"
            color={person.active ? 'red.9' : undefined}
            disabled={!leads.isSuccess || (!person.active && !hasLeads)}
            loading={deactivate.isPending}
          >
            {person.active ? `Deactivate ${first}` : 'Reassign leads'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const isUnchosen = (error: unknown) => error instanceof ApiProblem && error.field === 'reassign_to'

function keySentence(names: string[] | undefined): string {
  const all = names ? ` (${names.join(', ')})` : ''
  return `Their API ${names?.length === 1 ? 'key stops' : 'keys stop'} working${all}.`
}

function leadQuestion(first: string, leads: { total: number; capped: boolean } | undefined): string {
  if (!leads) return `Who gets ${first}’s leads?`
  const many = leads.capped ? `more than ${formatNumber(leads.total)} leads` : formatCount(leads.total, 'lead')
  return `${first} has ${many}. Who gets ${leads.total === 1 ? 'it' : 'them'}?`
}
