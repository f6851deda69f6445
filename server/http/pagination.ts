import type { FastifyReply } from 'fastify'

/**
 * Answers a page. `rows` is JSON as the database wrote it, so it is not parsed and written again. `capped` says that
 * there are more rows than the total, which lists of the web app do not count further.
 */
export function sendPage(
  reply: FastifyReply,
  { total, capped, rows }: { total: number; capped?: boolean; rows: string },
  { limit, offset }: { limit: number; offset: number },
) {
  const total_capped = capped === undefined ? {} : { total_capped: capped }
  const pagination = { limit, offset, total, ...total_capped, has_more: offset + limit < total }
  return reply
    .type('application/json; charset=utf-8')
    .send(`{"data":${rows},"pagination":${JSON.stringify(pagination)}}`)
}
