import { useEffect, useEffectEvent } from 'react'

/** In milliseconds. */
const pause = 1000

/** While `isTyping`, no character that is typed is a key of the page. Calls `onPause` when none was typed for a second. */
export function useTypingPause(isTyping: boolean, onPause: () => void) {
  const end = useEffectEvent(onPause)
  useEffect(() => {
    if (!isTyping) return
    let timer = setTimeout(end, pause)
    const wait = (event: KeyboardEvent) => {
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation()
      clearTimeout(timer)
      timer = setTimeout(end, pause)
    }
    document.addEventListener('keydown', wait, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', wait, true)
    }
  }, [isTyping])
}
