import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** Returns whether a dialog or a menu is open over the page. */
export const isOverlayOpen = () => document.querySelector('dialog[open], [role="dialog"], [role="menu"]') !== null

/** Handles keys of the page, except while a dialog or a menu is open. */
export const usePageKeys = (keys: HotkeyItem[]) =>
  useHotkeys(
    keys.map(([key, act, options]) => [
      key,
      (event) => {
        if (!isOverlayOpen()) act(event)
      },
      options,
    ]),
  )

/** Calls `add` on `n`, the key for adding what the page lists. */
export const useAddKey = (add: () => void) => usePageKeys([['n', add]])
