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

interface LoggedError {
  type: string
  code?: string
  message: string
  stack: string
  cause?: LoggedError
}

/**
 * An error as the log keeps it. The details that PostgreSQL adds quote whole rows and are left out; the messages of its
 * data exceptions (class 22), and of a parser, quote the value itself.
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
