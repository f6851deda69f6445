import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { t } from '@lingui/core/macro'
import type { Rule } from '#contract/crm/distribution'
import styles from './Distribution.module.css'
import { useMoveRule, usePauseRule } from './queries.ts'
import { RuleCard } from './RuleCard.tsx'

interface Props {
  rules: Rule[]
  /** Those that the search leaves. */
  shown: Rule[]
  /** The rule that matches the test lead first. */
  matchingRuleId: string | undefined
  webhookName(id: string): string
  onEdit(rule: Rule): void
  onDelete(rule: Rule): void
}

const verticalOnly: Modifier = ({ transform }) => ({ ...transform, x: 0 })

/** Lists the rules in order. They are moved by dragging, by keyboard or from their menu. */
export function RuleList({ rules, shown, matchingRuleId, webhookName, onEdit, onDelete }: Props) {
  const move = useMoveRule()
  const pause = usePauseRule()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const find = (id: UniqueIdentifier | undefined) => rules.find((rule) => rule.id === id)

  const drop = ({ active, over }: DragEndEvent) => {
    const [rule, target] = [find(active.id), find(over?.id)]
    if (rule && target && rule !== target) move.mutate({ rule, to: target.position })
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[verticalOnly]}
      onDragEnd={drop}
      accessibility={{ announcements: announcements(find, rules.length), screenReaderInstructions: instructions }}
    >
      <SortableContext items={shown} strategy={verticalListSortingStrategy}>
        <ol className={styles.rules} aria-label={t`Rules`}>
          {shown.map((rule) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              rules={rules}
              matchesTest={rule.id === matchingRuleId}
              webhookName={webhookName}
              onEdit={() => onEdit(rule)}
              onDelete={() => onDelete(rule)}
              onPause={() => pause.mutate(rule)}
              onMove={(to) => move.mutate({ rule, to })}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

const instructions = {
  draggable: t`Press space to pick up the rule, the arrow keys to move it, space to drop it, escape to cancel.`,
}

function announcements(find: (id: UniqueIdentifier | undefined) => Rule | undefined, total: number): Announcements {
  const placeOf = (id: UniqueIdentifier | undefined) => {
    const { name = '', position = 0 } = find(id) ?? {}
    return { name, position }
  }
  return {
    onDragStart: ({ active }) => {
      const { name, position } = placeOf(active.id)
      return t`Picked up ${name}, number ${position} of ${total}.`
    },
    onDragOver: ({ active, over }) => {
      const [{ name }, { position }] = [placeOf(active.id), placeOf(over?.id)]
      return over ? t`${name} would be number ${position} of ${total}.` : undefined
    },
    onDragEnd: ({ active, over }) => {
      const [{ name }, { position }] = [placeOf(active.id), placeOf(over?.id)]
      return over ? t`Dropped ${name} as number ${position} of ${total}.` : undefined
    },
    onDragCancel: ({ active }) => {
      const { name, position } = placeOf(active.id)
      return t`${name} stays number ${position} of ${total}.`
    },
  }
}
