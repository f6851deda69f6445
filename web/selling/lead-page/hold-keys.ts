import type { KeyboardEvent } from 'react'

/** The arrows and Esc of an open menu are not for the list behind it. */
export const holdKeys = (opened: boolean) => (event: KeyboardEvent) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || (opened && event.key === 'Escape'))
    event.stopPropagation()
}
