import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Measures the width of an element before it is painted. A change of `dependency` measures again. */
export function useWidth(dependency: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again
  useLayoutEffect(() => {
    if (ref.current) setWidth(ref.current.clientWidth)
  }, [dependency])
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
