import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Anchor, Menu, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconTrash,
  IconUserOff,
} from '@tabler/icons-react'
import type { Rule } from '#contract/distribution'
import { Badge } from '../ui/Badge.tsx'
import { formatMinutes } from '../ui/minutes.ts'
import styles from './Distribution.module.css'
import { conditionsInWords, unusedBecause } from './rule-words.ts'

interface Props {
  rule: Rule
  rules: Rule[]
  /** The rule matches the test lead first. */
  matchesTest: boolean
  webhookName(id: string): string
  onEdit(): void
  onDelete(): void
  onMove(to: number): void
}

export function RuleCard({ rule, rules, matchesTest, webhookName, onEdit, onDelete, onMove }: Props) {
  const still = useReducedMotion()
  const sortable = useSortable({ id: rule.id, transition: still ? null : { duration: 120, easing: 'ease' } })
  const unused = unusedBecause(rule, rules)
  const uneven = rule.people.some(({ weight }) => weight !== rule.people[0]?.weight)
  return (
    <li
      ref={sortable.setNodeRef}
      className={styles.rule}
      data-dragging={sortable.isDragging || undefined}
      data-matches-test={matchesTest || undefined}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
    >
      <ActionIcon
        ref={sortable.setActivatorNodeRef}
        variant="subtle"
        color="gray"
        size={32}
        className={styles.handle}
        {...sortable.attributes}
        {...sortable.listeners}
        aria-label={`Move ${rule.name}`}
      >
        <IconGripVertical size={16} />
      </ActionIcon>
      <span className={styles.position}>{rule.position}</span>
      <div className={styles.body}>
        <div className={styles.head}>
          <Anchor component="button" type="button" className={styles.name} lineClamp={2} onClick={onEdit}>
            {rule.name}
          </Anchor>
          {matchesTest && <span className={styles.small}>Matches your test</span>}
        </div>
        <Text lineClamp={3}>{conditionsInWords(rule, webhookName)}</Text>
        <ul className={styles.people} aria-label="Assignees">
          {rule.people.map((person) => (
            <li key={person.user_id}>
              {person.name}
              {uneven && <span className={styles.small}>{`weight ${person.weight}`}</span>}
              {!person.active && (
                <Badge colour="grey" icon={IconUserOff}>
                  Deactivated
                </Badge>
              )}
            </li>
          ))}
        </ul>
        {rule.pass_on_after !== null && (
          <Text mt={4} size="xs" c="dimmed">
            {`Passes on after ${formatMinutes(rule.pass_on_after)} without a call`}
          </Text>
        )}
        {unused && (
          <Text mt={4} size="xs">
            <IconAlertTriangle size={14} color="var(--amber)" className={styles.warning} aria-hidden />
            {unused}
          </Text>
        )}
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={`Actions for ${rule.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            Edit
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowUp size={16} aria-hidden />}
            disabled={rule.position === 1}
            onClick={() => onMove(rule.position - 1)}
          >
            Move up
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} aria-hidden />}
            disabled={rule.position === rules.length}
            onClick={() => onMove(rule.position + 1)}
          >
            Move down
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
