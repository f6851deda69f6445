import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from './contract.ts'
import { internalError, invalid, methodNotAllowed, notFound, Refusal, tooLarge, unavailable } from './problem.ts'

/** Every error and every unknown address in the one shape of the contract (spec 7, D10). */
export function answerProblems(app: FastifyInstance, isAway: (error: unknown) => boolean) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, isAway)
    if (refusal.status === 500) request.log.error({ err: error }, 'unexpected')
    else if (refusal.status === 503) request.log.warn({ err: error }, 'the database is away')
    return answer(reply, refusal)
  })

  const doors = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const methods = doors.get(route.url) ?? doors.set(route.url, new Set()).get(route.url)!
    for (const method of [route.method].flat()) methods.add(method)
  })
  return {
    /** For addresses that are none, and for known ones asked with another method (405 with Allow). */
    notFoundHandler: (request: FastifyRequest, reply: FastifyReply) => {
      const path = request.url.replace(/[?#].*$/, '')
      for (const [pattern, methods] of doors) {
        if (!pattern.includes('*') && new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(path)) {
          return answer(reply, methodNotAllowed([...methods].sort().join(', ')))
        }
      }
      return answer(reply, notFound('There is nothing at this address. See /docs for what there is.'))
    },
  }
}

export function answer(reply: FastifyReply, refusal: Refusal) {
  return reply.code(refusal.status).headers(refusal.headers).send(bodyOf(refusal))
}

function bodyOf({ code, message, field }: Refusal): Problem {
  return { error: { code, message, ...(field === undefined ? {} : { field }) } }
}

function refusalOf(error: FastifyError, isAway: (error: unknown) => boolean): Refusal {
  if (error instanceof Refusal) return error
  if (isAway(error)) return unavailable()
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalid('The body is not valid JSON.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalid('The address has a broken percent-encoding or is too long.')
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return new Refusal(status, 'INVALID_PARAM', `${error.message}.`)
  return internalError()
}

/** For what never became a request: broken HTTP, headers too large, a client too slow to finish. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'The request took too long to arrive.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'The headers are too large.']
        : [400, 'This is not valid HTTP.']
  const body = JSON.stringify(bodyOf(new Refusal(status, 'INVALID_PARAM', message)))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
