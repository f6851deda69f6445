import { useQuery } from '@tanstack/react-query'
import { stateInWords } from './availability-words.ts'
import { availabilityQuery } from './queries.ts'

/** What to know of a user before you give them leads: that they are invited or away. Working hours do not matter for that. */
export function useUserStates() {
  const { data: everyone = [] } = useQuery(availabilityQuery)
  const stateOf = (userId: string) =>
    everyone.find(({ user_id, state }) => user_id === userId && (state === 'invited' || state === 'away'))
  /** "Bela · Away until 5 Dec", "Chand · Invited". */
  const withState = (label: string, userId: string) => {
    const state = stateOf(userId)
    return state ? `${label} · ${stateInWords(state)}` : label
  }
  return { stateOf, withState }
}
