import { useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'

const ofLeads = /^\/leads(\/|$)/
const ofList = /^\/leads\/?$/

/** Keeps the scroll position of the list while a lead opens and closes. */
export function useListPosition(leadId: string | undefined, wide: boolean) {
  const router = useRouter()
  const top = useRef(0)
  const listed = wide || leadId === undefined

  useLayoutEffect(() => {
    if (!listed) return
    const note = () => {
      top.current = window.scrollY
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [listed])

  useLayoutEffect(
    () =>
      // After the router's own, which scrolls a new page to the top.
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        if (!pathChanged || !fromLocation || !ofLeads.test(fromLocation.pathname)) return
        if (ofList.test(toLocation.pathname) || (wide && ofLeads.test(toLocation.pathname)))
          window.scrollTo({ top: top.current })
      }),
    [router, wide],
  )
}
