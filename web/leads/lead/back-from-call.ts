import { useRef } from 'react'
import { useOnVisible } from '../../ui/use-on-visible.ts'

/** Returns what to do when a call starts. `onBack` is called when the user comes back to this page from the phone. */
export function useBackFromCall(onBack: () => void) {
  const called = useRef(false)
  useOnVisible(() => {
    if (!called.current) return
    called.current = false
    onBack()
  })
  return () => {
    called.current = true
  }
}
