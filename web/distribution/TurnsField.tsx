import { ActionIcon, Box, Input, NumberInput, Select, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconUserOff, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Badge } from '../ui/Badge.tsx'
import { usersQuery } from '../users.ts'
import styles from './Distribution.module.css'
import { turnsInWords } from './rule-words.ts'

export interface Turn {
  user_id: string
  weight: number
}

interface Props {
  turns: Turn[]
  onChange(turns: Turn[]): void
  error?: string | undefined
}

/** Who takes the leads in turn, how often, and in which order. */
export function TurnsField({ turns, onChange, error }: Props) {
  const labelId = useId()
  const { data: people = [] } = useQuery(usersQuery)
  const personOf = (id: string) => people.find((person) => person.id === id)
  const named = turns.map((turn) => ({ ...turn, name: personOf(turn.user_id)?.name ?? '' }))
  const active = named.filter(({ user_id }) => personOf(user_id)?.active)
  const free = people.filter((person) => person.active && !turns.some(({ user_id }) => user_id === person.id))

  const change = (index: number, weight: number) =>
    onChange(turns.map((turn, at) => (at === index ? { ...turn, weight } : turn)))
  const swap = (index: number, other: number) => {
    const moved = [...turns]
    ;[moved[index], moved[other]] = [moved[other]!, moved[index]!]
    onChange(moved)
  }

  return (
    <Box role="group" aria-labelledby={labelId}>
      <Input.Label id={labelId} labelElement="div">
        Who gets them, in turn
      </Input.Label>
      <Input.Description>
        Who has 2 turns gets twice as many as who has 1. The order decides who begins.
      </Input.Description>
      {named.length > 0 && (
        <ol className={styles.turns}>
          {named.map(({ user_id, name, weight }, index) => (
            <li key={user_id}>
              <span>
                {name}{' '}
                {personOf(user_id)?.active === false && (
                  <Badge colour="grey" icon={IconUserOff}>
                    deactivated
                  </Badge>
                )}
              </span>
              <NumberInput
                aria-label={`Turns of ${name}`}
                w={72}
                min={1}
                max={999}
                allowDecimal={false}
                allowNegative={false}
                clampBehavior="strict"
                value={weight}
                onChange={(value) => change(index, Number(value) || 1)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={`Move ${name} up`}
                disabled={index === 0}
                onClick={() => swap(index, index - 1)}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={`Move ${name} down`}
                disabled={index === named.length - 1}
                onClick={() => swap(index, index + 1)}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={`Remove ${name}`}
                onClick={() => onChange(turns.filter((turn) => turn.user_id !== user_id))}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ol>
      )}
      <Select
        mt={8}
        aria-label="Add a person"
        placeholder={free.length > 0 ? 'Add a person' : 'Everyone active is in this rule'}
        disabled={free.length === 0}
        data={free.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
        value={null}
        onChange={(id) => id && onChange([...turns, { user_id: id, weight: 1 }])}
        searchable
        nothingFoundMessage="Nobody like that"
        error={error}
      />
      <Text size="xs" c="dimmed" mt={8} mih={18} role="status">
        {turnsInWords(active)}
      </Text>
    </Box>
  )
}
