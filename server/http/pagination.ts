import type { FastifyReply } from 'fastify'

/**
 * Answers a page. `rows` is JSON as the database wrote it, so it is not parsed and written again. Lists of the web app
 * stop counting at a limit: `capped` says whether there are more rows than the total.
 */
export function sendPage(
  reply: FastifyReply,
  { total, capped, has_more, rows }: { total: number; capped?: boolean; has_more?: boolean; rows: string | Buffer },
  { limit, offset }: { limit: number; offset: number },
) {
  const total_capped = capped === undefined ? {} : { total_capped: capped }
  const pagination = { limit, offset, total, ...total_capped, has_more: has_more ?? offset + limit < total }
  const bytes = typeof rows === 'string' ? Buffer.from(rows) : rows
  const around = [Buffer.from('{"data":'), Buffer.from(`,"pagination":${JSON.stringify(pagination)}}`)] as const
  return reply.type('application/json; charset=utf-8').send(Buffer.concat([around[0], bytes, around[1]]))
}
