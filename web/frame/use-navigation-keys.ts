import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { usePageKeys } from '../platform/ui/page-keys.ts'
import { type NavigationItem, useNavigation } from './navigation.ts'

/** Opens a page by `g` and, within a second, its key. */
export function useNavigationKeys() {
  const navigate = useNavigate()
  const pressedAt = useRef(0)
  const items = useNavigation()

  const start = () => {
    pressedAt.current = Date.now()
  }
  const go = ({ to }: NavigationItem) => {
    if (Date.now() - pressedAt.current > 1000) return
    pressedAt.current = 0
    void navigate({ to })
  }
  usePageKeys([
    ['g', start, { preventDefault: false }],
    ...items.flatMap((item) =>
      item.key ? [[item.key, () => go(item), { preventDefault: false }] as [string, () => void, object]] : [],
    ),
  ])
}
