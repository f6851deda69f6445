import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { msg } from '@lingui/core/runtime-macro'
import type { Sql } from '../database/sql.ts'
import { rateLimited, tryLater } from '../http/problem.ts'

/**
 * Open streams. A browser needs one for all its pages, or one for each visible page. While all are open, an account with
 * fewer of them gets one of the account with most. A page without a stream asks for changes.
 */
export const maxStreams = { ofSession: 10, ofAccount: 1000, inAll: 2000 }

/** In milliseconds. */
const times = {
  /** Between two events of an account. */
  between: 250,
  /** Proxies end a connection on which they hear nothing for a minute. */
  heartbeat: 25_000,
  /** Between two checks whether the sessions still exist. */
  sessions: 1000,
  /** For each open stream of the account: so long its pages spread their requests after an event. */
  spread: 4,
  maxSpread: 4000,
  /** So long it is remembered that something changed: a page loads within it. */
  memory: 60_000,
  /** A new page may have read its data so long before it says that it loads. */
  latency: 2000,
}

interface Stream {
  sessionId: string
  userId: string
  response: ServerResponse
  /** What its client has not read yet, and the page that it names. */
  unread: Map<Event, string | null>
}

type Event = 'changed' | 'ringing' | 'alive'

interface AccountStreams {
  all: Set<Stream>
  sentAt: number
  timer: NodeJS.Timeout | null
  /** The pages that made the changes since then: null for one that is not of a page. */
  changedBy: Set<string | null>
}

interface Owner {
  account_id: string
  user_id: string
  session_id: string
}

/** The open streams of this process. What they send contains no data: pages ask for it, each with the rights of its user. */
export class Streams {
  readonly #accounts = new Map<string, AccountStreams>()
  /** When the last event was, in milliseconds, by account or user. */
  readonly #eventAt = new Map<string, number>()
  #eventOfAllAt = Number.NEGATIVE_INFINITY
  readonly #directory: Sql
  readonly #onError: (error: unknown) => void
  readonly #limits: typeof maxStreams
  readonly #timers: NodeJS.Timeout[]
  #open = 0
  #checking = false
  #closed = false

  constructor(directory: Sql, onError: (error: unknown) => void, limits = maxStreams) {
    this.#directory = directory
    this.#onError = onError
    this.#limits = limits
    this.#timers = [
      setInterval(() => this.#beat(), times.heartbeat).unref(),
      setInterval(() => this.#forgetEvents(), times.memory).unref(),
      setInterval(() => void this.#endOfEndedSessions(), times.sessions).unref(),
    ]
  }

  get open(): number {
    return this.#open
  }

  /** Throws if so many are open that no other one is allowed. May end a stream of another account instead. */
  check({ account_id, session_id }: Owner): void {
    const ofAccount: ReadonlySet<Stream> = this.#accounts.get(account_id)?.all ?? new Set()
    const ofSession = [...ofAccount].filter(({ sessionId }) => sessionId === session_id).length
    if (ofSession >= this.#limits.ofSession) throw rateLimited(msg`Too many pages of this session are open`, 60)
    const isFull = () => this.#open >= this.#limits.inAll && !this.#endOneBeyond(ofAccount.size + 1)
    if (this.#closed || ofAccount.size >= this.#limits.ofAccount || isFull())
      throw tryLater(msg`Too many pages are open just now. This page refreshes once a minute.`)
  }

  /** Ends the newest stream of the account that has most of them, if these are more than `count`. */
  #endOneBeyond(count: number): boolean {
    let largest: ReadonlySet<Stream> = new Set()
    for (const { all } of this.#accounts.values()) if (all.size > largest.size) largest = all
    if (largest.size <= count) return false
    ;[...largest].at(-1)!.response.destroy()
    return true
  }

  /**
   * Adds a response whose headers are sent, until its client or `close` ends it. A page that loads since `age` milliseconds has read its
   * data before it has its stream: it is sent the events in between.
   */
  add({ account_id, user_id, session_id }: Owner, response: ServerResponse, age: number): void {
    // The client left while its session was read: `close` has been emitted.
    if (response.destroyed) return
    const loadedAt = performance.now() - age - times.latency
    const missed = (key: string) => (this.#eventAt.get(key) ?? this.#eventOfAllAt) > loadedAt
    // The pause before a browser connects again: they must not all come back at the same moment.
    response.write(
      `retry: ${randomInt(1000, 4000)}\n${textOf('alive')}${missed(account_id) ? textOf('changed') : ''}${missed(user_id) ? textOf('ringing') : ''}`,
    )
    const account = this.#accounts.get(account_id) ?? {
      all: new Set(),
      sentAt: Number.NEGATIVE_INFINITY,
      timer: null,
      changedBy: new Set(),
    }
    const stream = { sessionId: session_id, userId: user_id, response, unread: new Map() }
    this.#accounts.set(account_id, account)
    account.all.add(stream)
    this.#open++
    response.once('close', () => {
      this.#open--
      account.all.delete(stream)
      if (account.all.size > 0) return
      clearTimeout(account.timer ?? undefined)
      this.#accounts.delete(account_id)
    })
  }

  /** Sends an event to the pages of the account, or of all accounts. It names the page that alone made the changes. */
  changed(accountId: string | null, pageId: string | null = null): void {
    if (accountId === null) {
      this.#eventOfAllAt = performance.now()
      for (const account of this.#accounts.values()) send(account, null)
    } else {
      this.#eventAt.set(accountId, performance.now())
      const account = this.#accounts.get(accountId)
      if (account) send(account, pageId)
    }
  }

  /** Sends an event to the pages of the user, at once: a call rings, or has changed. */
  ringing(accountId: string, userId: string): void {
    this.#eventAt.set(userId, performance.now())
    for (const stream of this.#accounts.get(accountId)?.all ?? [])
      if (stream.userId === userId) write(stream, 'ringing')
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { response } of this.#all()) response.end()
  }

  #all(): Stream[] {
    return [...this.#accounts.values()].flatMap(({ all }) => [...all])
  }

  #beat() {
    for (const stream of this.#all()) write(stream, 'alive')
  }

  #forgetEvents() {
    const until = performance.now() - times.memory - times.latency
    for (const [key, at] of this.#eventAt) if (at < until) this.#eventAt.delete(key)
  }

  async #endOfEndedSessions() {
    if (this.#checking || this.#open === 0) return
    this.#checking = true
    try {
      const sessions = Map.groupBy(this.#all(), ({ sessionId }) => sessionId)
      const ended = await this.#directory<{ id: string }[]>`
        select id from unnest(${[...sessions.keys()]}::uuid[]) as open (id) where not exists (
          select from sessions join active_users on active_users.id = sessions.user_id
          where sessions.id = open.id and expires_at > now()
        )`
      for (const { id } of ended) for (const { response } of sessions.get(id)!) response.end()
    } catch (error) {
      this.#onError(error)
    }
    this.#checking = false
  }
}

function send(account: AccountStreams, pageId: string | null) {
  account.changedBy.add(pageId)
  if (account.timer) return
  account.timer = setTimeout(
    () => {
      account.timer = null
      account.sentAt = performance.now()
      const spread = Math.min(account.all.size * times.spread, times.maxSpread)
      const [only = null] = account.changedBy.size === 1 ? account.changedBy : []
      account.changedBy.clear()
      for (const stream of account.all) write(stream, 'changed', only, spread)
    },
    Math.max(0, account.sentAt + times.between - performance.now()),
  )
}

/** `alive` is an event, because the script of a page does not see comments. */
const textOf = (event: Event, pageId: string | null = null, spread = 0) =>
  `event: ${event}\ndata: ${spread}${pageId === null ? '' : ` ${pageId}`}\n\n`

/**
 * A client that has not read an event asks when it reads it, and needs no second one. This bounds memory for slow clients. Changes of
 * two pages name none: each page would take those of the other for its own.
 */
function write({ response, unread }: Stream, event: Event, pageId: string | null = null, spread = 0) {
  if (response.writableLength === 0) unread.clear()
  const before = unread.get(event)
  if (before === null || before === pageId) return
  const named = before === undefined ? pageId : null
  unread.set(event, named)
  response.write(textOf(event, named, spread))
}
