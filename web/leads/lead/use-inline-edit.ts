import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { notifyProblem } from '../../ui/notify.tsx'
import { problemText } from '../../ui/Problem.tsx'

interface Options<T> {
  value: T
  same(one: T, other: T): boolean
  save(value: T): Promise<unknown>
  /** Why the value cannot be, if so. */
  refuse?: ((value: T) => string | undefined) | undefined
  /** More about a refusal than the server's sentence. */
  explain?: ((error: unknown, value: T) => Promise<ReactNode>) | undefined
}

/**
 * A value that is changed where it stands: Enter or leaving saves, Esc keeps what was there. What was refused stays as
 * it was typed, with the reason.
 */
export function useInlineEdit<T>({ value, same, save, refuse, explain }: Options<T>) {
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const [refusal, setRefusal] = useState<{ value: T; why: ReactNode } | null>(null)
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
    setRefusal(null)
  }
  const commit = async (byKey: boolean) => {
    const wanted = latest.current?.value
    if (wanted === undefined || busy) return
    if (same(wanted, value)) return close(byKey)
    if (!byKey && refusal && same(wanted, refusal.value)) return
    const why = refuse?.(wanted)
    if (why !== undefined) return setRefusal({ value: wanted, why })
    setBusy(true)
    try {
      await save(wanted)
      close(byKey)
    } catch (error) {
      if (gone.current) return notifyProblem(error)
      setRefusal({ value: wanted, why: (await explain?.(error, wanted)) ?? problemText(error) })
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
      error: refusal?.why,
      readOnly: busy,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          close(true)
        }
        // A suggestion that is marked is taken first.
        const marked = event.currentTarget.hasAttribute('aria-activedescendant')
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && !marked) {
          event.preventDefault()
          void commit(true)
        }
      },
      // Leaving is told before the last word is: wait for that.
      onBlur: () => setTimeout(() => void commit(false)),
    },
  }
}
