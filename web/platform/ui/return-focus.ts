import { useEffect, useRef } from 'react'

/**
 * Returns the focus to the element that opened a dialog, after the last of several dialogs is closed. Call the returned
 * function when you open the first.
 */
export function useReturnFocus(opened: boolean) {
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (!opened) return
    return () => {
      setTimeout(() => {
        const back = opener.current?.isConnected ? opener.current : document.getElementById('content')
        back?.focus({ preventScroll: true })
      }, 20)
    }
  }, [opened])
  return () => {
    opener.current = openerOf(document.activeElement)
  }
}

/** A menu item disappears with its menu: the button of the menu gets the focus. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
