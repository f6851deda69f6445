import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguage } from '../languages/translate.ts'
import { endSoon } from './connections.ts'
import {
  busy,
  HttpProblem,
  headersTooLarge,
  internalError,
  invalid,
  locked,
  methodNotAllowed,
  notFound,
  problemBody,
  requestTimeout,
  tooLarge,
  unavailable,
  unsupportedMediaType,
  unwritable,
} from './problem.ts'
import { isReadingSlowBody } from './slow-body.ts'
import { withMeant } from './unknown-fields.ts'
import { whereApiIs } from './where-api-is.ts'

/** The declared routes, each with its methods, and what to do in place of others. */
export type Routes = Map<string, { methods: Set<string>; instead: Record<string, string> }>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** By methods that the URL does not have: what to do in place of them. */
    instead?: Record<string, string>
  }
  interface FastifyRequest {
    /** What was answered in place of a result. */
    problem: HttpProblem | null
  }
}

/** Which errors mean that the database is unavailable, or only accepts no writes, that it is busy, and that it is busy because of a lock. */
interface Outages {
  unwritableBy(error: unknown): Parameters<typeof unwritable>[0] | undefined
  isAway(error: unknown): boolean
  isBusy(error: unknown): boolean
  isLocked(error: unknown): boolean
}

/** Answers all errors and unknown routes in the format of the API. */
export function answerProblems(app: FastifyInstance, routes: Routes, outages: Outages) {
  app.decorateRequest('problem', null)
  app.addHook('onRoute', (route) => {
    const known = routes.get(route.url) ?? { methods: new Set(), instead: {} }
    routes.set(route.url, known)
    for (const method of [route.method].flat()) known.methods.add(method)
    Object.assign(known.instead, route.config?.instead)
  })

  /** For unknown routes, and known ones with another method (405 with Allow). */
  const notFoundHandler = (request: FastifyRequest, reply: FastifyReply) => {
    const elsewhere = whereApiIs(request, (path) => patternOf(routes, path))
    const found = wrongMethod(routes, request.url, request.method, elsewhere)
    return answer(reply, found ?? notFound(elsewhere ? `This route does not exist. ${elsewhere}` : unknownRoute))
  }

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error, request, outages)
    // An invalid body does not matter on an unknown route.
    if (request.is404 && [400, 413, 415].includes(problem.status)) return notFoundHandler(request, reply)
    if (problem.status === 500) request.log.error({ err: error }, 'unexpected')
    // A stack trace for each request would cost more than to answer them.
    else if (problem.status === 503 && outages.unwritableBy(error)) request.log.warn(`not saved: ${error.message}`)
    else if (problem.status === 503 && outages.isAway(error)) request.log.warn({ err: error }, 'the database is away')
    else if (problem.status === 503) request.log.warn(`busy: ${error.message}`)
    return answer(reply, withMeant(problem, request.unknownFields))
  })

  // Node would answer these in its own format, or not at all.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
      return done(invalid('The Host header is missing.', 'Host'))
    // Proxies and this service could read different ones.
    if (hasSeveralHosts(raw.rawHeaders)) return done(invalid('There are several Host headers.', 'Host'))
    if (raw.headers.host && !URL.canParse(`http://${raw.headers.host}`))
      return done(invalid('The Host header is not a host.', 'Host'))
    done()
  })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (request, socket) =>
    answerBare(socket, wrongMethod(routes, request.url) ?? notFound(unknownRoute)),
  )
  return { notFoundHandler }
}

/** Node itself keeps the first. Names and values alternate. */
function hasSeveralHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++
  return hosts > 1
}

const unknownRoute = 'This route does not exist. See /docs for the API.'

/** Returns nothing if the URL has no route, or has one for the method. */
function wrongMethod(routes: Routes, url = '', method = '', elsewhere: string | null = null): HttpProblem | undefined {
  const pattern = patternOf(routes, url.replace(/[?#].*$/, ''))
  if (pattern === undefined) return
  const { methods, instead } = routes.get(pattern)!
  if (methods.has(method)) return
  return methodNotAllowed([...methods].sort().join(', '), elsewhere ?? instead[method])
}

function patternOf(routes: Routes, path: string): string | undefined {
  const { all, each } = shapesOf(routes)
  // Bots ask for many paths that are like none: a single test rejects them.
  return all.test(path) ? each.find(({ shape }) => shape.test(path))!.pattern : undefined
}

/** What paths of the routes look like. All routes are declared before the first request. */
interface Shapes {
  all: RegExp
  each: { pattern: string; shape: RegExp }[]
}

const shapes = new WeakMap<Routes, Shapes>()

function shapesOf(routes: Routes): Shapes {
  const known = shapes.get(routes)
  if (known) return known
  const patterns = [...routes.keys()].filter((pattern) => !pattern.includes('*'))
  const texts = patterns.map((pattern) => pattern.split(/:\w+/).map(RegExp.escape).join('[^/]+'))
  const made = {
    all: new RegExp(`^(?:${texts.join('|')})/?$`),
    each: patterns.map((pattern, index) => ({ pattern, shape: new RegExp(`^${texts[index]}/?$`) })),
  }
  shapes.set(routes, made)
  return made
}

/** The Link header of every error, except for the web app. */
const help = '</docs>; rel="help"'

export function answer(reply: FastifyReply, problem: HttpProblem) {
  const { url, headers } = reply.request
  reply.request.problem = problem
  const isForWebApp = /^\/(web|web-public|auth)\//.test(url)
  const language = isForWebApp ? acceptedLanguage(headers['accept-language']) : undefined
  if (!isForWebApp) reply.header('link', help)
  return reply.code(problem.status).headers(problem.headers).send(problemBody(problem, language))
}

function problemOf(error: FastifyError, { raw }: FastifyRequest, outages: Outages): HttpProblem {
  if (error instanceof HttpProblem) return error
  // The client disconnected while it sent the body.
  if (raw.destroyed && !raw.complete) return invalid('The body did not arrive.')
  const { unwritableBy, isAway, isBusy, isLocked } = outages
  const reason = unwritableBy(error)
  if (reason) return unwritable(reason)
  if (isAway(error)) return unavailable()
  if (isLocked(error)) return locked()
  if (isBusy(error)) return busy()
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalid('The body is not valid JSON.')
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return new HttpProblem(status, 'INVALID_PARAM', `${error.message.replace(/\.?$/, '.')}`)
  return internalError()
}

/** For a malformed URL, for which Fastify runs no route and no hook. */
export function answerBadUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  reply.header('x-request-id', request.id)
  return answer(reply, invalid('The URL has a broken percent-encoding.'))
}

/** For connections without a valid request: broken HTTP, headers too large, a client that is too slow. */
export const answerBrokenRequests = (routes: Routes) => (error: ClientError, socket: Duplex) => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReadingSlowBody(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  answerBare(socket, brokenRequestProblem(routes, error))
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer }

function brokenRequestProblem(routes: Routes, { code, rawPacket }: ClientError): HttpProblem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout()
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge()
    case 'HPE_INVALID_METHOD': {
      const path = /^[A-Za-z]+ (\/\S*) HTTP\/1\.[01]\r\n/.exec(rawPacket?.toString('latin1') ?? '')?.[1]
      if (path) return wrongMethod(routes, path) ?? notFound(unknownRoute)
    }
  }
  return invalid('This is not valid HTTP.')
}

function answerBare(socket: Duplex, problem: HttpProblem) {
  const body = JSON.stringify(problemBody(problem))
  const headers = {
    ...problem.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    link: help,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  endSoon(socket, `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`)
}
