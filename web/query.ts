import { keepPreviousData, MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api.ts'
import { isConnected, onConnection } from './connection.ts'
import { setSessionEnded } from './sign-in/session.ts'

// By default a page learns that it is saving one task later: a second Enter or Cancel in between still counted.
notifyManager.setScheduler(queueMicrotask)

/** Shows the previous data while new data loads, so that the page does not jump. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askToSignIn }),
  mutationCache: new MutationCache({ onError: askToSignIn }),
  defaultOptions: {
    // Requests show whether there is a connection. The browser's own state would hold them back silently.
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

/** Retries when the rate limit ends within 10 s. For a longer wait the page shows an error. */
const isShortWait = ({ status, retryAfter }: ApiProblem) => status === 429 && retryAfter !== null && retryAfter <= 10

onConnection(() => {
  if (isConnected()) void queryClient.invalidateQueries()
})

/** Shows the sign-in dialog over the page after a 401. Before the first page, the route redirects to the sign-in page. */
function askToSignIn(error: Error) {
  if (error instanceof ApiProblem && error.status === 401 && location.pathname !== '/sign-in') setSessionEnded(true)
}
