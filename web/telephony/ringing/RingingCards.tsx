import { plural, t } from '@lingui/core/macro'
import { Text, UnstyledButton } from '@mantine/core'
import { useHotkeys, useMergedRef, useWindowEvent } from '@mantine/hooks'
import { IconChevronUp } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { RingingCall } from '#contract/telephony/ringing'
import { queryClient } from '../../platform/api/query.ts'
import { useOwnChange } from '../../platform/live/refresh.ts'
import { ringingCards } from '../../platform/ui/keep-room.ts'
import { isOverlayOpen, isText } from '../../platform/ui/page-keys.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { useTypedField } from '../../platform/ui/use-typed-field.ts'
import { nameOrNumber } from './call-texts.ts'
import { fullCards } from './full-cards.ts'
import { isEdited, isToLog, ringingQuery } from './queries.ts'
import styles from './RingingCalls.module.css'
import { RingingCard } from './RingingCard.tsx'

/** In pixels, of a small card, with the gap below it. */
const smallHeight = 58

interface Props {
  calls: RingingCall[]
  onDismiss(id: string): void
}

/** The cards of the calls, which leave free what is typed in. */
export default function RingingCards({ calls, onDismiss }: Props) {
  const narrow = useNarrow()
  const { leadId } = useParams({ strict: false })
  const cards = useRef<HTMLDivElement>(null)
  /** Where the focus was before it came here, if the user typed there or pressed the key. */
  const back = useRef<HTMLElement | null>(null)
  const [small, setSmall] = useState<ReadonlySet<string>>(new Set())
  const [usedId, setUsedId] = useState<string | null>(null)
  /** The cards that were pressed or had the focus, the last one first. */
  const [used, setUsed] = useState<readonly string[]>([])
  const [isListed, setListed] = useState(false)
  const ended = calls.filter(({ state }) => state === 'ended')
  const others = calls.length - ended.length
  const place = useTypedField(cards, {
    always: narrow,
    height: (others + Math.min(ended.length, isListed ? calls.length : 1)) * smallHeight,
  })
  const edited = used
    .concat(calls.map(({ id }) => id))
    .filter((id) => calls.some((call) => call.id === id && isEdited(call)))
  const full = place === null ? fullCards(calls, { small, usedId, edited, max: narrow ? 1 : 2 }) : new Set<string>()
  const smallEnded = ended.filter(({ id }) => !full.has(id))
  const toLog = smallEnded.filter(isToLog)
  const count = toLog.length
  const isOneLine = smallEnded.length > 1 && !isListed
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
  // Also while a field has the focus.
  useHotkeys(
    [
      [
        'mod+.',
        () => {
          if (cards.current?.contains(document.activeElement)) return
          const from = document.activeElement
          const [first] = full
          const shown = cards.current?.querySelector<HTMLElement>(':scope > :not([hidden])')
          const card = first === undefined ? shown : document.getElementById(first)
          card?.focus()
          if (from instanceof HTMLElement && from !== document.body) back.current = from
        },
      ],
    ],
    [],
  )
  const returnFocus = () => {
    const to = back.current?.isConnected ? back.current : document.getElementById('content')
    back.current = null
    to?.focus({ preventScroll: true })
  }
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || !back.current) return
    event.preventDefault()
    event.stopPropagation()
    returnFocus()
  }

  const dismiss = (id: string) => {
    const hadFocus = cards.current?.contains(document.activeElement)
    onDismiss(id)
    if (hadFocus) returnFocus()
  }
  const use = (id: string | undefined) => id && setUsed((before) => [id, ...before.filter((one) => one !== id)])
  const change = (id: string, isSmall: boolean) => {
    setSmall((before) => {
      if (before.has(id) === isSmall) return before
      const after = new Set([...before].filter((one) => one !== id))
      return isSmall ? after.add(id) : after
    })
    if (!isSmall) setListed(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards in it have the focus
    <div
      ref={ref}
      className={styles.cards}
      style={place === null ? {} : { top: place, bottom: 'auto' }}
      data-calls={full.size > 0 ? 'full' : 'small'}
      data-beside-lead={leadId !== undefined || undefined}
      // Phones give a button that is pressed no focus.
      onPointerDown={({ target }) => use((target as Element).closest('article')?.id)}
      onFocus={({ target, relatedTarget }) => {
        const id = target.closest('article')?.id
        use(id)
        setUsedId(id ?? null)
        if (isText(relatedTarget) && !cards.current?.contains(relatedTarget)) back.current = relatedTarget
      }}
      onBlur={({ relatedTarget }) => {
        if (!cards.current?.contains(relatedTarget)) setUsedId(null)
      }}
      onKeyDownCapture={onEscape}
    >
      {calls.map((call) => (
        <RingingCard
          key={call.id}
          call={call}
          isSmall={!full.has(call.id)}
          isHidden={isOneLine && smallEnded.includes(call)}
          onSmall={(isSmall) => change(call.id, isSmall)}
          onOpen={() => narrow && change(call.id, true)}
          onDismiss={() => dismiss(call.id)}
        />
      ))}
      {isOneLine && (
        <UnstyledButton
          data-done={count === 0 || undefined}
          className={`${styles.card} ${styles.small}`}
          onClick={() => setListed(true)}
        >
          <span className={styles.smallName}>
            {t`${{ name: nameOrNumber((toLog[0] ?? smallEnded[0])!) }} and ${{ count: smallEnded.length - 1 }} more`}
          </span>
          <Text size="xs">
            {count > 0 ? plural(count, { one: 'Log # call', other: 'Log # calls' }) : t`Calls ended`}
          </Text>
          <IconChevronUp size={16} aria-hidden />
        </UnstyledButton>
      )}
    </div>
  )
}
