import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Logs a request: the declared route, never the URL (which may contain a webhook token), no body, no name, no phone
 * number, no key.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply) {
  const route = request.routeOptions.url ?? 'unknown'
  const isQuiet = polledRoutes.has(route) || request.routeOptions.config.isStream
  const level = reply.statusCode >= 500 ? 'error' : isQuiet ? 'debug' : 'info'
  request.log[level]({
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
  })
}

/** Asked every few seconds by load balancers and monitoring. */
export const polledRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Drops Fastify's line about a second answer, which contains the URL. It appears when a request was answered that the
 * database is unavailable, and then finishes.
 */
export function withoutUrls(this: unknown, args: unknown[], write: (...args: never[]) => void) {
  const code = (args[0] as { err?: { code?: unknown } } | undefined)?.err?.code
  if (code !== 'FST_ERR_REP_ALREADY_SENT') write.apply(this, args as never[])
}

export interface LoggedError {
  type: string
  code?: string
  message: string
  stack: string
  cause?: LoggedError
}

/**
 * Serializes an error for the log, without the details of PostgreSQL, which quote whole rows, and without messages that
 * quote a value: those of its data exceptions (class 22) and of parsers.
 */
export function errorForLog(error: Error & { code?: unknown }): LoggedError {
  const code = typeof error.code === 'string' ? error.code : undefined
  const quotes = code?.startsWith('22') || error instanceof SyntaxError
  return {
    type: error.name,
    ...(code ? { code } : {}),
    message: quotes ? 'a value could not be read' : error.message,
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause instanceof Error ? { cause: errorForLog(error.cause) } : {}),
  }
}
