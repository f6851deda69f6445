import { plural } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useMergedRef, useWindowEvent } from '@mantine/hooks'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { RingingCall } from '#contract/telephony/ringing'
import { queryClient } from '../../platform/api/query.ts'
import { useOwnChange } from '../../platform/live/refresh.ts'
import { ringingCards } from '../../platform/ui/keep-room.ts'
import { isOverlayOpen } from '../../platform/ui/page-keys.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { useTypedField } from '../../platform/ui/use-typed-field.ts'
import { ringingQuery } from './queries.ts'
import styles from './RingingCalls.module.css'
import { RingingCard } from './RingingCard.tsx'

/** In pixels, of a card that makes room, with the gap below it. */
const smallHeight = 58

interface Props {
  calls: RingingCall[]
  /** How many calls are not shown. */
  more: number
  onDismiss(id: string): void
}

/** The cards of the calls, which leave free what is typed in. */
export default function RingingCards({ calls, more, onDismiss }: Props) {
  const narrow = useNarrow()
  const { leadId } = useParams({ strict: false })
  const cards = useRef<HTMLDivElement>(null)
  const place = useTypedField(cards, { always: narrow, height: calls.length * smallHeight })
  // A call back that is logged ends the card of the missed call.
  const isChanged = useOwnChange()
  useEffect(() => {
    if (isChanged) void queryClient.invalidateQueries({ queryKey: ringingQuery.queryKey })
  }, [isChanged])
  const ref = useMergedRef(cards, ringingCards)

  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || isOverlayOpen()) return
      // Elsewhere, the key is for the field or the lead.
      if (document.activeElement === document.body && leadId === undefined) onDismiss(calls[0]!.id)
    },
    // Before a dialog closes by the same key.
    { capture: true },
  )

  const dismiss = (id: string) => {
    const hadFocus = cards.current?.contains(document.activeElement)
    onDismiss(id)
    if (hadFocus) document.getElementById('content')?.focus({ preventScroll: true })
  }

  return (
    <div ref={ref} className={styles.cards} style={place === null ? {} : { top: place, bottom: 'auto' }}>
      {calls.map((call) => (
        <RingingCard key={call.id} call={call} isTypingElsewhere={place !== null} onDismiss={() => dismiss(call.id)} />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed" className={styles.more}>
          {plural({ count: more }, { one: '# more call', other: '# more calls' })}
        </Text>
      )}
    </div>
  )
}
