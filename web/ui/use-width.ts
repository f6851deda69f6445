import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** How wide an element is, known before it is painted. `again` is what makes it another width. */
export function useWidth(again: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when told
  useLayoutEffect(() => {
    if (ref.current) setRoom(ref.current.clientWidth)
  }, [again])
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => flushSync(() => setRoom(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, room }
}
