/** Connections of a pool, given out so that no account waits for another. */
export interface Share {
  /**
   * Runs `work` when the account gets a connection, at the latest after `patience` milliseconds; else throws Busy.
   * `work` must need one connection at a time, and must not ask for another of the same pool.
   */
  run<T>(accountId: string, patience: number, work: () => PromiseLike<T>): Promise<T>
  /** Rejects everything that waits: the database went away. */
  rejectWaiting(): void
  readonly figures: { size: number; in_use: number; waiting: number; rejected: number }
}

/** No connection within the time that the request has. It may work in a moment. */
export class Busy extends Error {
  constructor() {
    super('no connection became free in time')
  }
}

interface Waiting {
  start(): void
  reject(): void
}

interface Account {
  held: number
  waiting: Waiting[]
}

/** An account may hold so much of a pool, so that the rest is left for the others. */
export const accountShare = (size: number) => Math.max(1, Math.min(size - 1, Math.ceil(size * 0.6)))

const mostWaitingOfAccount = 200
const mostWaiting = 2000

/**
 * Admits work to `size` connections: an account holds at most its share of them, and accounts that wait get the next
 * one in turn, each its oldest request first. The driver's own queue is unbounded and serves all in one line, so nothing
 * may wait there.
 */
export function shareConnections(size: number): Share {
  const most = accountShare(size)
  // In the order of their turns: an account that was served moves to the end.
  const accounts = new Map<string, Account>()
  let inUse = 0
  let waiting = 0
  let rejected = 0

  function admit() {
    while (inUse < size && waiting > 0) {
      const next = accounts.entries().find(([, { held, waiting }]) => held < most && waiting.length > 0)
      if (!next) return
      const [id, account] = next
      accounts.delete(id)
      accounts.set(id, account)
      account.waiting.shift()!.start()
    }
  }

  async function turnOf(account: Account, patience: number): Promise<void> {
    if (account.waiting.length >= mostWaitingOfAccount || waiting >= mostWaiting) {
      rejected++
      throw new Busy()
    }
    waiting++
    const turn = Promise.withResolvers<void>()
    const one: Waiting = {
      start: () => {
        clearTimeout(timer)
        waiting--
        take(account)
        turn.resolve()
      },
      reject: () => {
        clearTimeout(timer)
        waiting--
        rejected++
        turn.reject(new Busy())
      },
    }
    const timer = setTimeout(() => {
      account.waiting.splice(account.waiting.indexOf(one), 1)
      one.reject()
    }, patience)
    account.waiting.push(one)
    admit()
    return turn.promise
  }

  function take(account: Account) {
    account.held++
    inUse++
  }

  function drop(id: string, account: Account) {
    if (account.held === 0 && account.waiting.length === 0) accounts.delete(id)
  }

  return {
    async run(accountId, patience, work) {
      const account = accounts.get(accountId) ?? { held: 0, waiting: [] }
      accounts.set(accountId, account)
      try {
        await turnOf(account, patience)
      } catch (error) {
        drop(accountId, account)
        throw error
      }
      try {
        return await work()
      } finally {
        account.held--
        inUse--
        drop(accountId, account)
        admit()
      }
    },
    rejectWaiting() {
      for (const account of accounts.values()) for (const one of account.waiting.splice(0)) one.reject()
    },
    get figures() {
      return { size, in_use: inUse, waiting, rejected }
    },
  }
}
