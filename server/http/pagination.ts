import type { FastifyReply } from 'fastify'

/** Answers a page whose rows are JSON as the database wrote it: nothing is read and written again on the way. */
export function sendPage(
  reply: FastifyReply,
  { total, rows }: { total: number; rows: string },
  { limit, offset }: { limit: number; offset: number },
) {
  const pagination = { limit, offset, total, has_more: offset + limit < total }
  return reply
    .type('application/json; charset=utf-8')
    .send(`{"data":${rows},"pagination":${JSON.stringify(pagination)}}`)
}
