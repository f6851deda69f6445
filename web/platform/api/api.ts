import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { noteAnswer, setConnected } from './connection.ts'
import { takeEarly } from './early.ts'
import { noteChange, pageId } from './own-changes.ts'
import { stringifySearch } from './search.ts'

/** An error that the server answered. `field` names the invalid parameter. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  /** In seconds, from the header Retry-After. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    { code, message, field }: { code: string; message: string; field?: string },
    retryAfter: number | null = null,
  ) {
    super(message)
    this.retryAfter = retryAfter
    this.status = status
    this.code = code
    this.field = field
  }
}

/** Whether the server has no such thing, or the user may not see it. */
export const isNotFound = (error: unknown) => error instanceof ApiProblem && error.status === 404

type Query = Record<string, string | number | boolean | string[] | null | undefined>

/** A response that is not a list page. */
export interface Data<T> {
  data: T
}

/** A page of a list that knows its total. */
export interface Page<T> {
  data: T[]
  pagination: { limit: number; offset: number; total: number; has_more: boolean; total_capped?: boolean }
}

/** A page of a list, newest first: `next` is the `before` of the next page. */
export interface Chain<T> {
  data: T[]
  next: string | null
}

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal) =>
  ask<T>('GET', path + stringifySearch(query), undefined, signal ? { signal } : {})
export const post = <T>(path: string, body: object = {}, more: More = {}) => ask<T>('POST', path, body, more)
export const patch = <T>(path: string, body: object) => ask<T>('PATCH', path, body)
export const put = <T>(path: string, body: object) => ask<T>('PUT', path, body)
export const remove = <T>(path: string) => ask<T>('DELETE', path)

interface More {
  headers?: Record<string, string>
  signal?: AbortSignal
  keepalive?: boolean
  /** A question whose text does not fit a URL: it changes nothing. */
  isRead?: true
}

async function ask<T>(
  method: string,
  path: string,
  body?: object,
  { headers, isRead, ...more }: More = {},
): Promise<T> {
  const answered = method === 'GET' || isRead ? undefined : noteChange()
  const before = method === 'GET' ? known.get(path) : undefined
  const sentHeaders = {
    ...(answered && { 'x-page': pageId }),
    ...(body && { 'content-type': 'application/json' }),
    ...(before && { 'if-none-match': before.etag }),
    ...headers,
  }
  const sent = { method, headers: sentHeaders, ...(body && { body: JSON.stringify(body) }) }
  const response = await send(path, { ...sent, ...more }).finally(answered)
  if (before && response.status === 304) return before.answer as T
  const answer = (await response.json()) as T
  const etag = response.headers.get('etag')
  if (method === 'GET' && etag) know(path, { etag, answer })
  return answer
}

/** Larger answers by URL, in memory only: the server sends one again only if it has changed. */
const known = new Map<string, { etag: string; answer: unknown }>()
const maxKnown = 20

function know(path: string, answer: { etag: string; answer: unknown }) {
  known.delete(path)
  known.set(path, answer)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
}

/** Sends a request. Throws an ApiProblem unless the answer is a success, or the one that is known. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  // The language of error messages.
  headers.set('accept-language', i18n.locale)
  const early = init.method === 'GET' ? takeEarly(path) : undefined
  const response = await (early ?? fetch(path, { ...init, headers })).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    setConnected(false)
    throw noAnswer()
  })
  noteAnswer(response)
  if (!response.ok && response.status !== 304) throw await problemOf(response)
  return response
}

const noAnswer = () =>
  new ApiProblem(0, { code: 'OFFLINE', message: t`No answer from the server. Check the connection and try again.` })

async function problemOf(response: Response): Promise<ApiProblem> {
  const answer = (await response.json().catch(() => null)) as { error?: { code: string; message: string } } | null
  return new ApiProblem(
    response.status,
    answer?.error ?? { code: 'UNKNOWN', message: t`The server answered ${{ status: response.status }}. Try again.` },
    Number(response.headers.get('retry-after')) || null,
  )
}
