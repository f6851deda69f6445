import { usePageKeys } from '../../platform/ui/page-keys.ts'
import { useLeadKeys } from '../lead-page/lead-keys.ts'

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-promised]')]
const hasFocus = (row: HTMLElement) => row.contains(document.activeElement)

/** `j`, `k` and the arrows move between promised calls as in lists, and `c` calls the one that has the focus. */
export function useTodayKeys() {
  const move = (by: 1 | -1) => {
    const all = rows()
    const at = all.findIndex(hasFocus)
    const next = at >= 0 ? all[at + by] : all.at(by > 0 ? 0 : -1)
    next?.querySelector('a')?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  usePageKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['ArrowDown', () => move(1)],
    ['ArrowUp', () => move(-1)],
  ])
  useLeadKeys({ c: () => rows().find(hasFocus)?.querySelector<HTMLElement>('[data-call]')?.click() })
}
