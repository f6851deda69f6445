import {
  type DataTag,
  hashKey,
  keepPreviousData,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ApiProblem, type Data } from './api.ts'
import { isConnected, isWithoutAnswer, onConnection } from './connection.ts'
import { offlinePersister, removeAnswers } from './offline-answers.ts'
import { setSessionEnded } from './session.ts'

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
      persister: offlinePersister,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiProblem) || isWithoutAnswer(error.status) || isShortWait(error)),
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

const lastChanges = new Map<string, Promise<unknown>>()

/**
 * Sends a change, and keeps its answer as the data of the query. Changes of the same data are sent one after the other, and a read
 * that is under way is cancelled: an answer that is older would replace a newer one. The scope of a mutation would wait while the
 * page is hidden.
 */
export function sendChange<T, Answer extends Data<T>>(
  { queryKey }: { queryKey: DataTag<QueryKey, T, Error> },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const id = hashKey(queryKey)
  const run = async () => {
    const answer = await send()
    await queryClient.cancelQueries({ queryKey, exact: true })
    queryClient.setQueryData<T>(queryKey, answer.data)
    return answer
  }
  const change = (lastChanges.get(id) ?? Promise.resolve()).then(run, run)
  lastChanges.set(id, change)
  const forget = () => {
    if (lastChanges.get(id) === change) lastChanges.delete(id)
  }
  change.then(forget, forget)
  return change
}

/** Shows the sign-in dialog over the page after a 401. Before the first page, the route redirects to the sign-in page. */
function askToSignIn(error: Error) {
  if (!(error instanceof ApiProblem) || error.status !== 401) return
  removeAnswers()
  if (location.pathname !== '/sign-in') setSessionEnded(true)
}
