import { createConnection, type Socket } from 'node:net'
import type { Sql } from 'postgres'

export interface LastingPool {
  /** The pool as it is now, under one name for good. */
  sql: Sql
  /** Gives up all connections, with whatever waits for them. */
  drop(): void
  /** Gives what comes from now on new connections, and what is under way the time to end on its own. */
  renew(): void
  /** How many bytes have come on all its connections so far. */
  heard(): number
}

/**
 * A pool that is replaced when one of its connections is lost. In the driver a lost connection keeps what it had not
 * sent and the error it was ended with, and its next query fails with either; a new pool knows nothing of it.
 */
export function lastingPool(open: (socket: () => Socket) => Sql, dial: () => Socket): LastingPool {
  const sockets = new Set<Socket>()
  const retired = new Set<Sql>()
  let ended = false
  let heardOnClosed = 0
  let pool = renewed()

  function renewed(): Sql {
    const made: Sql = open(() => {
      const socket = dial()
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        heardOnClosed += socket.bytesRead
        if (made === pool && socket.bytesRead > 0) renew()
      })
      return socket
    })
    return made
  }

  function renew() {
    if (ended) return
    const old = pool
    pool = renewed()
    retired.add(old)
    // What still waits for one of its other connections gets its turn before they end.
    setTimeout(() => old.end({ timeout: 5 }).finally(() => retired.delete(old)), 1000).unref()
  }

  async function end(options?: { timeout?: number }) {
    ended = true
    await Promise.all([pool.end(options), ...[...retired].map((old) => old.end({ timeout: 0 }))])
    for (const socket of sockets) socket.destroy()
  }

  const forwards = new Map<string | symbol, unknown>([['end', end]])
  const sql = new Proxy(() => {}, {
    apply: (_target, _self, args) => Reflect.apply(pool as never, undefined, args),
    get(_target, name) {
      const value = Reflect.get(pool, name)
      if (typeof value !== 'function') return value
      if (!forwards.has(name))
        forwards.set(name, (...args: unknown[]) => Reflect.apply(Reflect.get(pool, name), pool, args))
      return forwards.get(name)
    },
  }) as unknown as Sql
  return {
    sql,
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
    renew,
    heard: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, heardOnClosed),
  }
}

/** Opens a socket as the driver does by itself. */
export function dial({ host, port }: { host: string; port: number }): Socket {
  const socket = host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
  // The driver takes the name that a certificate must be for from here.
  return Object.assign(socket, { host, port })
}
