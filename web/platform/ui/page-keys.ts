import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** Returns whether a dialog or a menu is open over the page. */
export const isOverlayOpen = () => document.querySelector('dialog[open], [role="dialog"], [role="menu"]') !== null

/** The keys pressed while one was open, also if it closed before the page got them, and those for an open list of options. */
const forOverlay = new WeakSet<Event>()

// Listeners of the window are called in the order in which they were added: this one before that of any dialog.
addEventListener(
  'keydown',
  (event) => {
    const isOfList = event.target instanceof Element && event.target.matches('[aria-haspopup][aria-expanded=true]')
    if (isOfList || isOverlayOpen()) forOverlay.add(event)
  },
  { capture: true },
)

/** Choices such as chips are inputs, too, in which nothing is typed. */
const textFields =
  'textarea, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=submit])'

export const isText = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches(textFields)

/** Handles keys of the page, except while text is typed, and while a dialog or a menu is open. */
export const usePageKeys = (keys: HotkeyItem[]) =>
  useHotkeys(
    keys.map(([key, act, options]) => [
      key,
      (event) => {
        if (forOverlay.has(event) || isText(event.target)) return
        if (options?.preventDefault !== false) event.preventDefault()
        act(event)
      },
      { ...options, preventDefault: false },
    ]),
    ['SELECT'],
  )

/** Calls `add` on `n`, the key for adding what the page lists. */
export const useAddKey = (add: () => void) => usePageKeys([['n', add]])
