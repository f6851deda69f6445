import { type RefObject, useEffect, useState } from 'react'
import { freePlace } from './free-place.ts'
import { isText } from './page-keys.ts'

/** What is pressed or read beside the field: titles with Back or Close, the buttons that save, and the navigation of a phone. */
const needed = '[type=submit], [data-choices], header, h1, nav'

const overlaps = (one: DOMRect, other: DOMRect) =>
  isBeside(one, other) && one.top < other.bottom && other.top < one.bottom
const isBeside = (one: Pick<DOMRect, 'left' | 'right'>, other: Pick<DOMRect, 'left' | 'right'>) =>
  one.left < other.right && other.left < one.right

/**
 * Returns where an element that lies over the page has its top while the user types outside of it, so that it covers neither that field nor
 * what is needed beside it; null if nothing is typed, or the element does not cover it. `height`: of the element in that place. `always`: on
 * a phone, the keyboard leaves little room.
 */
export function useTypedField(
  over: RefObject<HTMLElement | null>,
  { always, height }: { always: boolean; height: number },
): number | null {
  const [place, setPlace] = useState<number | null>(null)
  useEffect(() => {
    const screen = window.visualViewport
    const look = () => {
      const field = document.activeElement
      if (!isText(field) || over.current?.contains(field)) return setPlace(null)
      const top = screen?.offsetTop ?? 0
      const shown = { top, bottom: top + (screen?.height ?? window.innerHeight) }
      const box = field.getBoundingClientRect()
      const own = over.current?.getBoundingClientRect()
      const columns = own ?? { left: 0, right: window.innerWidth }
      const beside = [...(field.closest('[role=dialog], dialog') ?? document).querySelectorAll(needed)]
        .filter((element) => !over.current?.contains(element))
        .map((element) => element.getBoundingClientRect())
        .filter((one) => isBeside(one, columns))
      setPlace((before) => {
        const isCovered = always || before !== null || (own && overlaps(box, own))
        return isCovered ? freePlace(height, shown, [box, ...beside]) : null
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
  }, [over, always, height])
  return place
}
