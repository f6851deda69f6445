import { plural, t } from '@lingui/core/macro'
import { Text, VisuallyHidden } from '@mantine/core'
import { useMergedRef, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { usePhonePlans } from '../../crm/contacts/phone.ts'
import { useOwnChange } from '../../platform/live/refresh.ts'
import { ringingCards } from '../../platform/ui/keep-room.ts'
import { isOverlayOpen } from '../../platform/ui/page-keys.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { useOpenDialog } from '../../platform/ui/use-open-dialog.ts'
import { useTypedField } from '../../platform/ui/use-typed-field.ts'
import { callName, callTitle } from './call-texts.ts'
import { ringingQuery } from './queries.ts'
import styles from './RingingCalls.module.css'
import { refreshRinging } from './refresh.ts'
import { useDismissed } from './use-dismissed.ts'

const RingingCard = lazy(() => import('./RingingCard.tsx'))

/** Calls that ring for the user, over every page. */
export function RingingCalls() {
  usePhonePlans()
  const narrow = useNarrow()
  const { leadId } = useParams({ strict: false })
  const { data = [] } = useQuery(ringingQuery)
  const { isDismissed, dismiss } = useDismissed()
  const all = data.filter(({ id }) => !isDismissed(id))
  const shown = all.slice(0, narrow ? 1 : 2)
  const cards = useRef<HTMLDivElement>(null)
  const room = useTypedField(cards, { always: narrow })
  const dialog = useOpenDialog()
  // A call back that is logged ends the card of the missed call.
  const isChanged = useOwnChange()
  useEffect(() => {
    if (isChanged && shown.length > 0) void refreshRinging()
  }, [isChanged, shown.length])
  const ref = useMergedRef(cards, ringingCards)
  const first = shown[0]

  useWindowEvent('keydown', (event) => {
    if (!first || event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isOverlayOpen()) return
    // Elsewhere, the key is for the field or the lead.
    if (document.activeElement === document.body && leadId === undefined) dismiss(first.id)
  })

  const dismissFocused = (id: string) => {
    const hadFocus = cards.current?.contains(document.activeElement)
    dismiss(id)
    if (hadFocus) document.getElementById('content')?.focus({ preventScroll: true })
  }

  const section = (
    <section aria-label={t`Phone calls`}>
      <VisuallyHidden role="status">
        {shown.map((call) => `${callTitle(call)}: ${callName(call)}`).join('. ')}
      </VisuallyHidden>
      {shown.length > 0 && (
        <div ref={ref} className={styles.cards} data-room={room ?? undefined}>
          {shown.map((call) => (
            <Suspense key={call.id}>
              <RingingCard call={call} isTypingElsewhere={room !== null} onDismiss={() => dismissFocused(call.id)} />
            </Suspense>
          ))}
          {all.length > shown.length && (
            <Text size="xs" c="dimmed" className={styles.more}>
              {plural({ count: all.length - shown.length }, { one: '# more call', other: '# more calls' })}
            </Text>
          )}
        </div>
      )}
    </section>
  )
  return dialog ? createPortal(section, dialog) : section
}
