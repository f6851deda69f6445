import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ipNetwork } from './ip-list.ts'

/** A client that reads no byte of its answer for this long is disconnected, at the latest after twice the time. */
export const maxStallMs = 15_000

/** Connections to this process: in total, and from one network. A proxy may carry many users. */
export const maxConnections = { inAll: 4000, fromOne: 1000 }

/** How long a client may take to read an answer after which the connection ends. */
const closeTimeoutMs = 1000

/** How often a stopping service looks whether connections are open. */
const drainStepMs = 20

/** Limits what one client can occupy with open connections. Returns how they end when the service stops. */
export function limitConnections(app: FastifyInstance, isProxy: (ip: string) => boolean) {
  const { server } = app
  const answering = new WeakMap<Socket, number>()
  const open = new Set<ServerResponse>()
  let isDraining = false
  const count = (socket: Socket, by: number) => answering.set(socket, (answering.get(socket) ?? 0) + by)
  server.prependListener('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    count(socket, 1)
    open.add(response)
    if (!server.listening) response.shouldKeepAlive = false
    response.once('close', () => {
      count(socket, -1)
      open.delete(response)
      // A closing server would wait for connections that become idle now.
      if (!server.listening && !isDraining) server.closeIdleConnections()
    })
  })
  // Node resets this timeout when the client reads a part of the answer, and restores it after keep-alive.
  server.setTimeout(maxStallMs, (socket) => {
    // The answer is not ready yet: the client is not slow.
    if (answering.get(socket) && socket.writableLength === 0) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
  server.maxConnections = maxConnections.inAll
  limitEachNetwork(server, isProxy)
  return {
    /**
     * Accepts no more connections, and answers `Connection: close` on those that are open. Waits until all have ended, at most so long: a
     * client whose connection was closed while it sends would get a reset.
     */
    async drain(maxMs: number): Promise<void> {
      // The method of http.Server would close idle connections at once.
      Server.prototype.close.call(server)
      isDraining = true
      for (const response of open) response.shouldKeepAlive = false
      for (const end = performance.now() + maxMs; performance.now() < end; await pause(drainStepMs))
        if ((await countConnections(server)) === 0) break
      isDraining = false
    },
  }
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

interface Place {
  host: string
  port: number
}

/** Listens on one IP address: for the other one of `localhost`, Fastify would open a server without these limits. */
export async function listen(app: FastifyInstance, place: Place) {
  await app.listen(await placeOf(place))
}

/** Throws what would keep the service from listening. */
export async function tryToListen(place: Place): Promise<void> {
  const port = reservePort(place)
  await port.hold()
  await port.release()
}

const startingBody = '{"status":"starting"}'
const starting = `HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: ${startingBody.length}\r\nRetry-After: 5\r\nConnection: close\r\n\r\n${startingBody}`

/** Binds the port before the service listens, and answers 503 until it is released, over HTTP. */
export function reservePort(place: Place) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    endSoon(socket, starting)
  })
  return {
    async hold(): Promise<void> {
      if (server.listening) return
      await once(server.listen({ ...(await placeOf(place)), exclusive: true }), 'listening')
    },
    async release(): Promise<void> {
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

/** Returns one IP address for the host. */
export async function placeOf({ host, port }: Place): Promise<Place> {
  return { host: host === 'localhost' ? (await lookup(host, { order: 'ipv4first' })).address : host, port }
}

function limitEachNetwork(server: Server, isProxy: (ip: string) => boolean) {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? ''
    if (isProxy(ip)) return
    const network = ipNetwork(ip)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    if (count > maxConnections.fromOne) socket.destroy()
  })
}

/** Destroys a connection after its last answer, whether or not the client closes its side. */
export function endSoon(socket: NodeJS.WritableStream & { destroy(): void }, last: string) {
  socket.end(last)
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
}
