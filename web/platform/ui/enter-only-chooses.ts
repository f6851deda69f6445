import type { KeyboardEvent } from 'react'

/** For a field with a list to search: Enter chooses from the list, and does not submit the form when nothing matches. */
export const enterOnlyChooses = {
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
  },
}
