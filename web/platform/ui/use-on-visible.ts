import { useEffect, useEffectEvent } from 'react'

/** Calls `act` when the user comes back to this page. */
export function useOnVisible(act: () => void) {
  const onVisible = useEffectEvent(act)
  useEffect(() => {
    const look = () => {
      if (!document.hidden) onVisible()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
}
