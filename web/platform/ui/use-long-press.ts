import { type PointerEvent, useRef } from 'react'

/** In milliseconds, and in pixels that a finger may move. */
const [longEnough, moves] = [500, 10]

/** Returns handlers of rows. A long press of a finger calls `act` with the key of the row, and opens nothing. */
export function useLongPress(act: (row: string) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const acted = useRef(false)
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  return {
    onPointerDown: ({ pointerType, currentTarget, clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
      acted.current = false
      const row = currentTarget.dataset.row
      if (pointerType !== 'touch' || row === undefined) return
      const timer = setTimeout(() => {
        acted.current = true
        act(row)
      }, longEnough)
      press.current = { timer, x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = press.current ?? { x: clientX, y: clientY }
      if (Math.hypot(clientX - x, clientY - y) > moves) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (!acted.current) return
      acted.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
