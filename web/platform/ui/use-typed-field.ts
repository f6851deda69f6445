import { type RefObject, useEffect, useState } from 'react'

/** Where there is room for what must not cover the field with the focus. */
type Room = 'top' | 'bottom'

const selector =
  'textarea, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=submit])'

const overlaps = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * Returns where there is room while the user types outside of an element that lies over the page; null if nothing is typed, or the element
 * does not cover it. `always`: on a phone, the keyboard leaves little room. A property of the page has the height of that keyboard.
 */
export function useTypedField(over: RefObject<HTMLElement | null>, { always }: { always: boolean }): Room | null {
  const [room, setRoom] = useState<Room | null>(null)
  useEffect(() => {
    const screen = window.visualViewport
    const look = () => {
      const field = document.activeElement
      const height = screen?.height ?? window.innerHeight
      const top = screen?.offsetTop ?? 0
      document.documentElement.style.setProperty(
        '--keyboard-height',
        `${Math.max(0, window.innerHeight - height - top)}px`,
      )
      if (!field?.matches(selector) || over.current?.contains(field)) return setRoom(null)
      const box = field.getBoundingClientRect()
      setRoom((before) => {
        const isCovered =
          always || before !== null || (over.current && overlaps(box, over.current.getBoundingClientRect()))
        return isCovered ? (box.top + box.height / 2 - top > height / 2 ? 'top' : 'bottom') : null
      })
    }
    const later = () => requestAnimationFrame(look)
    look()
    document.addEventListener('focusin', later)
    document.addEventListener('focusout', later)
    screen?.addEventListener('resize', look)
    return () => {
      document.removeEventListener('focusin', later)
      document.removeEventListener('focusout', later)
      screen?.removeEventListener('resize', look)
    }
  }, [over, always])
  return room
}
