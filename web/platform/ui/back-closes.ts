import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * The browser's Back closes the dialog on top, as Android's does with its own. Each open dialog has an entry of the history above that of
 * its page, with the same URL and the same index of the router, which learns nothing of it. An entry stays when its dialog is closed in
 * another way: going back at once would cross with the next navigation. Going back passes over it, and going forward opens nothing.
 */

interface Entry {
  /** That of the router, which is the same for all entries of a page. */
  __TSR_index?: number
  dialogs?: number
}

/** What closes each open dialog, the top one last. */
const opened: (() => void)[] = []
let pages: RouterHistory | undefined
/** Where the browser is. */
let at: Entry = {}

const depthOf = ({ dialogs = 0 }: Entry) => dialogs
const isSamePage = (one: Entry, other: Entry) => one.__TSR_index === other.__TSR_index
// The router follows the methods of the object itself.
const { pushState, replaceState } = History.prototype

/** Lets the browser's Back call `close` while the dialog is open. Without one, the dialog stays. */
export function useBackCloses(isOpen: boolean, close: (() => void) | undefined): void {
  const router = useRouter()
  const current = useRef(close)
  current.current = close
  useEffect(() => {
    if (!isOpen) return
    follow(router.history)
    const act = () => current.current?.()
    opened.push(act)
    setTimeout(addEntries)
    return () => void opened.splice(opened.indexOf(act), 1)
  }, [isOpen, router])
}

function follow(router: RouterHistory) {
  if (pages) return
  pages = router
  at = history.state ?? {}
  router.subscribe(({ action: { type } }) => {
    if (type === 'PUSH') {
      at = router.location.state
      // A dialog may stay open over the next page, such as that of filters.
      setTimeout(addEntries)
    }
    // A page that replaces its URL replaces that of the last entry only.
    if (type === 'REPLACE') queueMicrotask(() => write(depthOf(at)))
  })
}

/** Gives the last entry the location of the page, which it may have changed since. */
function write(dialogs: number) {
  if (!pages) return
  const { state, href } = pages.location
  at = { ...state, dialogs }
  replaceState.call(history, at, '', href)
}

function addEntries() {
  // Until the user has decided whether to leave a page, the browser is at the one before.
  if (!pages || !isSamePage(at, pages.location.state)) return
  while (depthOf(at) < opened.length) {
    at = { ...history.state, dialogs: depthOf(at) + 1 }
    pushState.call(history, at, '')
  }
}

// Listeners of the window are called in the order in which they were added: `routes.tsx` imports this file before it makes the router.
addEventListener('popstate', (event) => {
  const before = at
  at = event.state ?? {}
  if (!pages || !isSamePage(at, before) || !isSamePage(at, pages.location.state)) return
  event.stopImmediatePropagation()
  write(depthOf(at))
  if (depthOf(at) > depthOf(before)) return
  if (opened.length <= depthOf(at)) return history.back()
  opened.at(-1)?.()
  // One that asks first, or may not be closed, stays.
  setTimeout(addEntries)
})
