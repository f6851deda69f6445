import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { fieldProblemText } from '../../platform/ui/Problem.tsx'

interface Options<T> {
  value: T
  same(one: T, other: T): boolean
  save(value: T): Promise<unknown>
  /** The reason why a value is not valid. */
  validate?: ((value: T) => string | null | undefined) | undefined
  /** Adds to the server's message. */
  explain?: ((error: unknown, value: T) => Promise<ReactNode>) | undefined
}

/**
 * A value that is edited in place: Enter or leaving the field saves, Esc cancels. A rejected value stays in the field, with
 * the reason.
 */
export function useInlineEdit<T>({ value, same, save, validate, explain }: Options<T>) {
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const [rejection, setRejection] = useState<{ value: T; why: ReactNode } | null>(null)
  const [busy, setBusy] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  const latest = useRef(draft)
  latest.current = draft
  const gone = useRef(false)

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  useEffect(() => {
    if (draft || !returns.current) return
    returns.current = false
    opener.current?.focus()
  }, [draft])

  const close = (byKey: boolean) => {
    returns.current = byKey
    setDraft(null)
    setRejection(null)
  }
  const commit = async (byKey: boolean) => {
    const wanted = latest.current?.value
    if (wanted === undefined || busy) return
    if (same(wanted, value)) return close(byKey)
    if (!byKey && rejection && same(wanted, rejection.value)) return
    const why = validate?.(wanted)
    if (why) return setRejection({ value: wanted, why })
    setBusy(true)
    try {
      await save(wanted)
      close(byKey)
    } catch (error) {
      if (gone.current) return notifyProblem(error)
      setRejection({ value: wanted, why: (await explain?.(error, wanted)) ?? fieldProblemText(error) })
    } finally {
      setBusy(false)
    }
  }
  const change = (next: T) => {
    latest.current = { value: next }
    setDraft({ value: next })
  }

  return {
    opener,
    draft: draft?.value,
    open: () => change(value),
    change,
    commit,
    input: {
      autoFocus: true,
      error: rejection?.why,
      readOnly: busy,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          close(true)
        }
        // Enter on a highlighted suggestion chooses it.
        const marked = event.currentTarget.hasAttribute('aria-activedescendant')
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && !marked) {
          event.preventDefault()
          void commit(true)
        }
      },
      // Blur fires before the last change: wait for it.
      onBlur: () => setTimeout(() => void commit(false)),
    },
  }
}
