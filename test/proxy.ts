import { connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectDatabase, type SignIns } from '../server/platform/database/connect.ts'
import { freePort, serve } from './app.ts'

/** Where a connection is cut: before a statement reaches the server, or after it has run but is not answered. */
export type Cut = 'before' | 'after'

/**
 * A proxy for the database whose connections can be closed, also at a statement, and can become silent without being
 * closed.
 */
export async function proxyTo({ app, directory }: SignIns) {
  const port = await freePort()
  const target = app
  const through = { host: '127.0.0.1', port }
  const pairs = new Set<[Socket, Socket]>()
  let server: Server
  let silent = false
  let cutAt: (statement: string, before: string[]) => Cut | null = () => null
  const dial = () =>
    target.host.startsWith('/') ? connect(`${target.host}/.s.PGSQL.${target.port}`) : connect(target.port, target.host)
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = dial()
        const pair: [Socket, Socket] = [near, far]
        pairs.add(pair)
        if (silent) for (const one of pair) one.pause()
        const statementsIn = statementReader()
        let transaction: string[] = []
        // Before the data is passed on.
        near.on('data', (data: Buffer) => {
          for (const statement of statementsIn(data)) {
            if (!isWithin(transaction)) transaction = []
            const cut = cutAt(statement, transaction)
            transaction.push(statement)
            if (cut === 'before') for (const one of pair) one.destroy()
            if (cut === 'after')
              far
                .unpipe(near)
                .once('data', () => near.destroy())
                .resume()
          }
        })
        for (const [from, to] of [pair, [far, near]] as const) {
          from.pipe(to)
          if (silent) from.unpipe(to)
          from.on('error', () => {})
          from.on('close', () => {
            to.destroy()
            pairs.delete(pair)
          })
        }
      }).listen(port, '127.0.0.1', resolve)
    })
  await open()
  const setSilent = (now: boolean, forOld = true) => {
    silent = now
    for (const [near, far] of forOld ? pairs : []) {
      if (now) near.unpipe(far).pause()
      else near.pipe(far)
      if (now) far.unpipe(near).pause()
      else far.pipe(near)
    }
  }
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const pair of pairs) for (const one of pair) one.destroy()
    })
  /** Rejects new connections and keeps existing ones. */
  const reject = () => void server.close()
  return {
    signIns: { app: { ...app, ...through }, directory: { ...directory, ...through } } satisfies SignIns,
    open,
    cut,
    /** Decides for each statement from now on, given those before it in its transaction, whether its connection is cut. */
    cutAt: (decide: typeof cutAt) => {
      cutAt = decide
    },
    reject,
    freeze: () => setSilent(true),
    thaw: () => setSilent(false),
    /** Accepts new connections; earlier ones stay silent. */
    forgetOld: () => setSilent(false, false),
  }
}

const isWithin = (statements: string[]) =>
  statements[0]?.startsWith('begin') && !/^(commit|rollback)$/.test(statements.at(-1)!)

/** Returns a function that reads the statements which a client executes from the bytes that it sends. */
function statementReader() {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  // The first message has no type.
  let typed = 0
  return (data: Buffer): string[] => {
    const statements: string[] = []
    rest = Buffer.concat([rest, data])
    while (rest.length >= typed + 4) {
      const length = typed + rest.readInt32BE(typed)
      if (rest.length < length) break
      const type = typed === 0 ? '' : String.fromCharCode(rest[0]!)
      const [first = '', second = ''] = rest
        .subarray(typed + 4, length)
        .toString()
        .split('\0')
      rest = rest.subarray(length)
      typed = 1
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') statements.push(prepared.get(second) ?? '')
      if (type === 'Q') statements.push(first)
    }
    return statements
  }
}

/** The service with a proxy of its own to the database. */
export async function serveBehindWire(t: { after: (work: () => Promise<void>) => void }, signIns: SignIns) {
  const wire = await proxyTo(signIns)
  const database = connectDatabase(wire.signIns)
  const served = await serve(database, { TRUST_PROXY: '127.0.0.1' })
  t.after(async () => {
    // First, because the service would wait for silent connections.
    await wire.cut()
    await served.close()
    await database.close()
  })
  return { wire, database, served }
}
