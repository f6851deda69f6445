import type { FastifyReply } from 'fastify'

interface AnsweredPage {
  total: number
  /** Lists of the web app, and lists of changes, stop counting at a limit: whether there are more rows than the total. */
  capped?: boolean
  has_more?: boolean
  next_cursor?: string
  /** JSON as the database wrote it, so it is not parsed and written again. */
  rows: string | Buffer
}

export function sendPage(
  reply: FastifyReply,
  { total, capped, has_more, next_cursor, rows }: AnsweredPage,
  { limit, offset }: { limit: number; offset: number },
) {
  const total_capped = capped === undefined ? {} : { total_capped: capped }
  const cursor = next_cursor === undefined ? {} : { next_cursor }
  const pagination = { limit, offset, total, ...total_capped, has_more: has_more ?? offset + limit < total, ...cursor }
  const bytes = typeof rows === 'string' ? Buffer.from(rows) : rows
  const around = [Buffer.from('{"data":'), Buffer.from(`,"pagination":${JSON.stringify(pagination)}}`)] as const
  return reply.type('application/json; charset=utf-8').send(Buffer.concat([around[0], bytes, around[1]]))
}
