import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** Returns whether a dialog or a menu is open over the page. */
export const isOverlayOpen = () => document.querySelector('dialog[open], [role="dialog"], [role="menu"]') !== null

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
        if (isOverlayOpen() || isText(event.target)) return
        if (options?.preventDefault !== false) event.preventDefault()
        act(event)
      },
      { ...options, preventDefault: false },
    ]),
    ['SELECT'],
  )

/** Calls `add` on `n`, the key for adding what the page lists. */
export const useAddKey = (add: () => void) => usePageKeys([['n', add]])
