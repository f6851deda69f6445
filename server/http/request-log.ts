import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * What a log line may hold: the route as it is declared and never the address as sent (a webhook's token is in it),
 * no body, no name, no phone number, no key.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply) {
  const level = reply.statusCode >= 500 ? 'error' : 'info'
  request.log[level]({
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
  })
}
