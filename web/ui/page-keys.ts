import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { somethingAbove } from './above.ts'

/** Keys of the page: while a dialog or a menu lies over it they are not the page's. */
export const usePageKeys = (keys: HotkeyItem[]) =>
  useHotkeys(
    keys.map(([key, act, options]) => [
      key,
      (event) => {
        if (!somethingAbove()) act(event)
      },
      options,
    ]),
  )
