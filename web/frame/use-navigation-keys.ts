import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { usePageKeys } from '../ui/page-keys.ts'
import { type Place, useNavigation } from './navigation.ts'

/** `g`, then within a second the letter of a place. */
export function useNavigationKeys() {
  const navigate = useNavigate()
  const begun = useRef(0)
  const places = useNavigation()

  const begin = () => {
    begun.current = Date.now()
  }
  const go = ({ to }: Place) => {
    if (Date.now() - begun.current > 1000) return
    begun.current = 0
    void navigate({ to })
  }
  usePageKeys([
    ['g', begin, { preventDefault: false }],
    ...places.flatMap((place) =>
      place.key ? [[place.key, () => go(place), { preventDefault: false }] as [string, () => void, object]] : [],
    ),
  ])
}
