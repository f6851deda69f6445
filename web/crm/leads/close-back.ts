import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    closesBack?: true
  }
}

/** The state of a link to a lead from a list of its own: closing the lead goes back to that list. */
export const closesBack = { closesBack: true } as const

/** Returns a function that goes back to the list whose link opened the lead, and returns false if there is none. */
export function useGoBack() {
  const router = useRouter()
  return () => {
    if (!router.latestLocation.state.closesBack) return false
    router.history.back()
    return true
  }
}
