import { connect, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { connect as connectDatabase, type SignIns } from '../server/database/connect.ts'
import { freePort, serve } from './app.ts'

/** A proxy for the database whose connections can be closed, and can become silent without being closed. */
async function proxyTo({ app, directory }: SignIns) {
  const port = await freePort()
  const target = app
  const through = { host: '127.0.0.1', port }
  const pairs = new Set<[Socket, Socket]>()
  let server: Server
  let silent = false
  const dial = () =>
    target.host.startsWith('/') ? connect(`${target.host}/.s.PGSQL.${target.port}`) : connect(target.port, target.host)
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = dial()
        const pair: [Socket, Socket] = [near, far]
        pairs.add(pair)
        if (silent) for (const one of pair) one.pause()
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
    reject,
    freeze: () => setSilent(true),
    thaw: () => setSilent(false),
    /** Accepts new connections; earlier ones stay silent. */
    forgetOld: () => setSilent(false, false),
  }
}

/** The service with a proxy of its own to the database. */
export async function serveBehindWire(t: TestContext, signIns: SignIns) {
  const wire = await proxyTo(signIns)
  const database = connectDatabase(wire.signIns)
  const served = await serve(database)
  t.after(async () => {
    await served.close()
    await database.close()
    await wire.cut()
  })
  return { wire, database, served }
}
