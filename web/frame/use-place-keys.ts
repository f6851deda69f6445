import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useIsAdmin } from '../me.ts'
import { settings, work } from './places.ts'

/** `g`, then within a second the letter of a place. */
export function usePlaceKeys() {
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const begun = useRef(0)
  const places = isAdmin ? [...work, ...settings] : work

  const begin = () => {
    begun.current = Date.now()
  }
  const go = (key: string) => () => {
    if (Date.now() - begun.current > 1000) return
    begun.current = 0
    const place = places.find((candidate) => candidate.key === key)
    if (place) void navigate({ to: place.to })
  }
  useHotkeys([
    ['g', begin, { preventDefault: false }],
    ...[...work, ...settings].flatMap(({ key }) =>
      key ? [[key, go(key), { preventDefault: false }] as [string, () => void, object]] : [],
    ),
  ])
}
