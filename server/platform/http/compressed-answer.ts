import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers with a constant text. It is compressed once and all answers share the bytes, so that slow clients cost no
 * memory.
 */
export function compressedAnswer(type: string, text: () => string) {
  let made: ReturnType<typeof encode> | undefined
  return (request: FastifyRequest, reply: FastifyReply) => {
    made ??= encode(text())
    const { etag, plain, br, gzip } = made
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' }).type(type)
    if (hasAlready(request.headers, etag)) return reply.code(304).send()
    const encoding = acceptedEncoding(request.headers)
    return encoding ? reply.header('content-encoding', encoding).send({ br, gzip }[encoding]) : reply.send(plain)
  }
}

function encode(text: string) {
  const plain = Buffer.from(text)
  return {
    etag: etagOf(plain),
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(plain),
  }
}

export const etagOf = (content: string | Buffer) =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Whether the client has the answer with this ETag, beside others that it may name. */
export const hasAlready = (headers: IncomingHttpHeaders, etag: string) =>
  headers['if-none-match']?.includes(etag) ?? false

/** Returns the encoding that the client accepts, the smaller one first. */
export function acceptedEncoding(headers: IncomingHttpHeaders): 'br' | 'gzip' | undefined {
  const named = String(headers['accept-encoding'] ?? '').split(',')
  const accepts = (encoding: string) =>
    named.some((entry) => {
      const [name, quality] = entry.split(';').map((part) => part.trim())
      return name === encoding && !/^q=0(\.0*)?$/.test(quality ?? '')
    })
  return (['br', 'gzip'] as const).find(accepts)
}
