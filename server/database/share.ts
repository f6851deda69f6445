/** The connections of a pool, shared so that no account waits for another. */
export interface Share {
  /**
   * Runs `work` when the account gets a connection, or throws Busy after `patience` milliseconds.
   * `work` must need one connection at a time, and must not ask for another of the same pool.
   */
  run<T>(accountId: string, patience: number, work: () => PromiseLike<T>): Promise<T>
  /** Rejects all waiting requests with this error. */
  rejectWaiting(error: Error): void
  readonly figures: { size: number; in_use: number; waiting: number; rejected: number }
}

/** No connection was free in time. A retry may work. */
export class Busy extends Error {
  constructor() {
    super('no connection became free in time')
  }
}

interface Waiting {
  start(): void
  reject(error: Error): void
}

interface Account {
  held: number
  waiting: Waiting[]
}

/** The share of a pool that one account may use. */
export const accountShare = (size: number) => Math.max(1, Math.min(size - 1, Math.ceil(size * 0.6)))

const mostWaitingOfAccount = 200
const mostWaiting = 2000

/**
 * Shares `size` connections: an account uses at most `most`, and waiting accounts get the next one by round robin,
 * oldest request first. The driver's own queue is unbounded and in one line, so nothing may wait there.
 */
export function shareConnections(size: number, most = accountShare(size)): Share {
  // In round-robin order: an account that was served moves to the end.
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

  async function admission(account: Account, patience: number): Promise<void> {
    if (account.waiting.length >= mostWaitingOfAccount || waiting >= mostWaiting) {
      rejected++
      throw new Busy()
    }
    waiting++
    const admitted = Promise.withResolvers<void>()
    const one: Waiting = {
      start: () => {
        clearTimeout(timer)
        waiting--
        take(account)
        admitted.resolve()
      },
      reject: (error) => {
        clearTimeout(timer)
        waiting--
        rejected++
        admitted.reject(error)
      },
    }
    const timer = setTimeout(() => {
      account.waiting.splice(account.waiting.indexOf(one), 1)
      one.reject(new Busy())
    }, patience)
    account.waiting.push(one)
    admit()
    return admitted.promise
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
        await admission(account, patience)
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
    rejectWaiting(error) {
      for (const account of accounts.values()) for (const one of account.waiting.splice(0)) one.reject(error)
    },
    get figures() {
      return { size, in_use: inUse, waiting, rejected }
    },
  }
}
