import { useEffect, useRef } from 'react'

/**
 * While dialogs follow one another the focus is theirs; after the last it goes back to what opened the first. Answers
 * what is to be called when that is opened.
 */
export function useReturnFocus(away: boolean) {
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (!away) return
    return () => {
      setTimeout(() => {
        const back = opener.current?.isConnected ? opener.current : document.getElementById('content')
        back?.focus({ preventScroll: true })
      }, 20)
    }
  }, [away])
  return () => {
    opener.current = openerOf(document.activeElement)
  }
}

/** An item of a menu is gone with it; its button stays. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
