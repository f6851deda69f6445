import { createHash } from 'node:crypto'
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
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    if (accepts(request, 'br')) return reply.header('content-encoding', 'br').send(br)
    if (accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(gzip)
    return reply.send(plain)
  }
}

function encode(text: string) {
  const plain = Buffer.from(text)
  return {
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(plain),
  }
}

function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  const named = String(headers['accept-encoding'] ?? '').split(',')
  return named.some((entry) => {
    const [name, quality] = entry.split(';').map((part) => part.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(quality ?? '')
  })
}
