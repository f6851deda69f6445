import type { FastifyRequest } from 'fastify'

/** Other programs send tokens too: a proxy in front of the service may add its own to every request. */
export const sendsApiKey = ({ headers }: FastifyRequest) =>
  headers.authorization !== undefined && /^Bearer +le_live_/i.test(headers.authorization)

/**
 * Says where the API is, if a request looks for it at another URL. `patternOf` returns the route that a path belongs to.
 */
export function whereApiIs(request: FastifyRequest, patternOf: (path: string) => string | undefined): string | null {
  const { url } = request
  if (url.startsWith('/api/v1/') || !(/^\/+api(?:[/?#]|$)/i.test(url) || sendsApiKey(request))) return null
  const path = url.replace(/[?#].*$/s, '').toLowerCase()
  const resource = path.replace(/^\/+(?:api\/)?(?:v\d+\/)?/, '')
  const pattern = patternOf(`/api/v1/${resource}`)
  return pattern ? `The API is under /api/v1: use ${pattern.replace(/:(\w+)/g, '{$1}')}.` : 'The API is under /api/v1.'
}
