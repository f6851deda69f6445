import { createConnection, type Socket } from 'node:net'
import type { Sql } from 'postgres'

export interface ReconnectingPool {
  /** Always refers to the current pool. */
  sql: Sql
  /** Closes all connections and fails their statements. */
  drop(): void
  /** Opens new connections for new statements. Running statements finish on the old ones, within about so many milliseconds. */
  renew(within?: number): void
  /** The bytes received on all connections so far. */
  heard(): number
}

/**
 * Returns a pool that is replaced when a connection is lost. In the driver a lost connection keeps its unsent data and
 * its error, and the next query on it fails.
 */
export function reconnectingPool(open: (socket: () => Socket) => Sql, dial: () => Socket): ReconnectingPool {
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

  function renew(within = 5000) {
    if (ended) return
    const old = pool
    pool = renewed()
    retired.add(old)
    // Statements that wait for its other connections still run.
    setTimeout(() => old.end({ timeout: within / 1000 }).finally(() => retired.delete(old)), 1000).unref()
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

/** Opens a socket as the driver does. */
export function dial({ host, port }: { host: string; port: number }): Socket {
  const socket = host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
  // The driver checks the certificate against this name.
  return Object.assign(socket, { host, port })
}
