import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Anchor, Switch, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconPlayerPause,
  IconTrash,
  IconUserOff,
} from '@tabler/icons-react'
import type { Rule } from '#contract/crm/distribution'
import { Badge } from '../../platform/ui/Badge.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { AvailabilityBadge } from '../availability/AvailabilityBadge.tsx'
import { useUserStates } from '../availability/use-user-states.ts'
import styles from './Distribution.module.css'
import { conditionsInWords, termsInWords, unusedBecause } from './rule-words.ts'

/** Up to so many assignees are all named. */
const maxNamed = 8

interface Props {
  rule: Rule
  rules: Rule[]
  /** The rule matches the test lead first. */
  matchesTest: boolean
  webhookName(id: string): string
  onEdit(): void
  onDelete(): void
  onPause(): void
  onMove(to: number): void
}

export function RuleCard({ rule, rules, matchesTest, webhookName, onEdit, onDelete, onPause, onMove }: Props) {
  const still = useReducedMotion()
  const sortable = useSortable({ id: rule.id, transition: still ? null : { duration: 120, easing: 'ease' } })
  const { stateOf } = useUserStates()
  const unused = unusedBecause(rule, rules)
  const named = rule.people.length > maxNamed ? maxNamed - 1 : maxNamed
  const terms = termsInWords(rule)
  const uneven = rule.method === 'round_robin' && rule.people.some(({ weight }) => weight !== rule.people[0]?.weight)
  return (
    <li
      ref={sortable.setNodeRef}
      className={styles.rule}
      data-dragging={sortable.isDragging || undefined}
      data-matches-test={matchesTest || undefined}
      data-paused={rule.paused || undefined}
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
        aria-label={t`Move ${{ rule: rule.name }}`}
      >
        <IconGripVertical size={16} />
      </ActionIcon>
      <span className={styles.position}>{rule.position}</span>
      <div className={styles.body}>
        <div className={styles.head}>
          <Anchor component="button" type="button" className={styles.name} lineClamp={2} onClick={onEdit}>
            {rule.name}
          </Anchor>
          {rule.paused && (
            <Badge colour="grey" icon={IconPlayerPause}>
              {t`Paused`}
            </Badge>
          )}
          {matchesTest && <span className={styles.small}>{t`Matches your test`}</span>}
        </div>
        <Text lineClamp={3}>{conditionsInWords(rule, webhookName)}</Text>
        <ul className={styles.people} aria-label={t`Assignees`}>
          {rule.people.slice(0, named).map((person) => (
            <li key={person.user_id}>
              {person.name}
              {uneven && <span className={styles.small}>{t`weight ${{ weight: person.weight }}`}</span>}
              {!person.active && (
                <Badge colour="grey" icon={IconUserOff}>
                  {t`Deactivated`}
                </Badge>
              )}
              <AvailabilityBadge availability={stateOf(person.user_id)} />
            </li>
          ))}
          {named < rule.people.length && (
            <li className={styles.small}>{t`and ${{ count: rule.people.length - named }} more`}</li>
          )}
        </ul>
        {terms.length > 0 && (
          <Text mt={4} size="xs" c="dimmed">
            {terms.join(' · ')}
          </Text>
        )}
        {unused && (
          <Text mt={4} size="xs">
            <IconAlertTriangle size={14} color="var(--amber)" className={styles.warning} aria-hidden />
            {unused}
          </Text>
        )}
      </div>
      <Switch
        className={styles.switch}
        size="sm"
        checked={!rule.paused}
        onChange={onPause}
        aria-label={t`${{ rule: rule.name }} applies`}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            className={styles.menu}
            aria-label={t`Actions for ${{ rule: rule.name }}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            <Trans>Edit</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowUp size={16} aria-hidden />}
            disabled={rule.position === 1}
            onClick={() => onMove(rule.position - 1)}
          >
            <Trans>Move up</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} aria-hidden />}
            disabled={rule.position === rules.length}
            onClick={() => onMove(rule.position + 1)}
          >
            <Trans>Move down</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBarToUp size={16} aria-hidden />}
            disabled={rule.position === 1}
            onClick={() => onMove(1)}
          >
            <Trans>Move to the top</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBarToDown size={16} aria-hidden />}
            disabled={rule.position === rules.length}
            onClick={() => onMove(rules.length)}
          >
            <Trans>Move to the end</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
            <Trans>Delete</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
