import { keepPreviousData, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api.ts'
import { isConnected, onConnection } from './connection.ts'
import { noteSession } from './sign-in/session.ts'

/** What was asked is shown while it is asked again, so that nothing jumps. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionWhenRefused }),
  mutationCache: new MutationCache({ onError: endSessionWhenRefused }),
  defaultOptions: {
    // Whether there is a connection is told by what is asked, not by the browser, which would keep it back in silence.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      placeholderData: keepPreviousData,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiProblem) || [0, 502, 503].includes(error.status) || isShortWait(error)),
      retryDelay: (failures, error) =>
        error instanceof ApiProblem && isShortWait(error) ? error.retryAfter! * 1000 : 1000 * 2 ** failures,
    },
  },
})

/** Too many requests, and soon not any more. A longer wait is told, and left to the person. */
const isShortWait = ({ status, retryAfter }: ApiProblem) => status === 429 && retryAfter !== null && retryAfter <= 10

onConnection(() => {
  if (isConnected()) void queryClient.invalidateQueries()
})

/** The session ended elsewhere: the page asks to sign in again. Without a page yet, its route leads to the sign-in. */
function endSessionWhenRefused(error: Error) {
  if (error instanceof ApiProblem && error.status === 401 && location.pathname !== '/sign-in') noteSession('ended')
}
