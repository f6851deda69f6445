import { plural, t } from '@lingui/core/macro'
import { ActionIcon, Box, Input, NumberInput, Select, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconUserOff, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { compareNames } from '#contract/platform/text'
import { usersQuery } from '../../access/account/users.ts'
import { Badge } from '../../platform/ui/Badge.tsx'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { AvailabilityBadge } from '../availability/AvailabilityBadge.tsx'
import { useUserStates } from '../availability/use-user-states.ts'
import styles from './Distribution.module.css'
import { sharesInWords } from './rule-words.ts'

export interface WeightedUser {
  user_id: string
  weight: number
}

/** Before the name of a team. Other values are ids of users. */
const wholeTeam = 'team '

interface Props {
  assignees: WeightedUser[]
  onChange(assignees: WeightedUser[]): void
  /** Whether weights and order count. */
  weighted: boolean
  error?: string | undefined
}

/** Edits the assignees of a rule, their weights and their order. */
export function AssigneesField({ assignees, onChange, weighted, error }: Props) {
  const labelId = useId()
  const [search, setSearch] = useState('')
  const { data: people = [] } = useQuery(usersQuery)
  const { stateOf, withState } = useUserStates()
  const personOf = (id: string) => people.find((person) => person.id === id)
  const named = assignees.map((one) => ({ ...one, name: personOf(one.user_id)?.name ?? '' }))
  const active = named.filter(({ user_id }) => personOf(user_id)?.active)
  const free = people.filter((person) => person.active && !assignees.some(({ user_id }) => user_id === person.id))

  const teams = [...new Set(free.flatMap(({ team }) => team ?? []))].sort(compareNames)
  const membersOf = (team: string) => free.filter((person) => person.team === team)
  const usersOptions = free.map(({ id, name, email }) => ({ value: id, label: withState(`${name} · ${email}`, id) }))
  const teamOptions = teams.map((team) => {
    const members = plural({ users: membersOf(team).length }, { one: '# user', other: '# users' })
    return { value: wholeTeam + team, label: t`Whole team ${team} · ${members}` }
  })
  const add = (choice: string) => {
    const ids = choice.startsWith(wholeTeam) ? membersOf(choice.slice(wholeTeam.length)).map(({ id }) => id) : [choice]
    onChange([...assignees, ...ids.map((user_id) => ({ user_id, weight: 1 }))])
  }

  const change = (index: number, weight: number) =>
    onChange(assignees.map((one, at) => (at === index ? { ...one, weight } : one)))
  const swap = (index: number, other: number) => {
    const moved = [...assignees]
    ;[moved[index], moved[other]] = [moved[other]!, moved[index]!]
    onChange(moved)
  }

  return (
    <Box role="group" aria-labelledby={labelId}>
      <Input.Label id={labelId} labelElement="div">
        {weighted ? t`Assignees (round robin)` : t`Assignees`}
      </Input.Label>
      <Input.Description>
        {weighted
          ? t`A user with weight 2 gets twice as many leads as one with weight 1. The first in the list starts.`
          : t`A new lead is offered to those who are available, in Call next.`}
      </Input.Description>
      {named.length > 0 && (
        <ol className={styles.assignees}>
          {named.map(({ user_id, name, weight }, index) => (
            <li key={user_id}>
              <span>
                {name}{' '}
                {personOf(user_id)?.active === false && (
                  <Badge colour="grey" icon={IconUserOff}>
                    {t`deactivated`}
                  </Badge>
                )}
                <AvailabilityBadge availability={stateOf(user_id)} />
              </span>
              {weighted && (
                <NumberInput
                  aria-label={t`Weight of ${name}`}
                  w={72}
                  min={1}
                  max={999}
                  allowDecimal={false}
                  allowNegative={false}
                  clampBehavior="strict"
                  value={weight}
                  onChange={(value) => change(index, Number(value) || 1)}
                />
              )}
              {weighted &&
                (['up', 'down'] as const).map((direction) => {
                  const other = direction === 'up' ? index - 1 : index + 1
                  const Icon = direction === 'up' ? IconArrowUp : IconArrowDown
                  return (
                    <ActionIcon
                      key={direction}
                      variant="subtle"
                      color="gray"
                      size={32}
                      aria-label={direction === 'up' ? t`Move ${name} up` : t`Move ${name} down`}
                      disabled={!named[other]}
                      onClick={() => swap(index, other)}
                    >
                      <Icon size={16} />
                    </ActionIcon>
                  )
                })}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={t`Remove ${name}`}
                onClick={() => onChange(assignees.filter((one) => one.user_id !== user_id))}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ol>
      )}
      <Select
        mt={8}
        aria-label={t`Add an assignee`}
        placeholder={free.length > 0 ? t`Add an assignee` : t`All active users are in this rule`}
        disabled={free.length === 0}
        data={
          teams.length > 0
            ? [
                { group: t`Teams`, items: teamOptions },
                { group: t`Users`, items: usersOptions },
              ]
            : usersOptions
        }
        value={null}
        onChange={(choice) => {
          if (!choice) return
          add(choice)
          // The chosen one leaves the field, and so does the text that found it.
          setSearch('')
        }}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        selectFirstOptionOnChange
        selectFirstOptionOnDropdownOpen
        {...enterOnlyChooses}
        nothingFoundMessage={t`No matches`}
        error={error}
      />
      {weighted && (
        <Text size="xs" c="dimmed" mt={8} mih={18} role="status">
          {sharesInWords(active)}
        </Text>
      )}
    </Box>
  )
}
