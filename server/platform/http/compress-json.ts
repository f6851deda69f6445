import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncoding, etagOf, hasAlready } from './compressed-answer.ts'

/** In bytes. A smaller answer is one packet anyway. */
const minSize = 1024

/** Encodes a text for one answer. Beyond these levels, more time saves little. A thread of zlib works, so that other requests go on. */
export const encoders = {
  br: (text: string | Buffer) => promisify(brotliCompress)(text, { params: brotliParams }),
  gzip: (text: string | Buffer) => promisify(gzip)(text, { level: 6 }),
}

const brotliParams = {
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  [constants.BROTLI_PARAM_QUALITY]: 5,
  // 256 KiB for each answer that is being compressed, rather than 4 MiB.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

interface Options {
  /** Answers 304 without a body to a client that has the same answer already. */
  tagged?: true
}

/** Compresses JSON for clients that accept it. Short answers, files and streams are sent as they are. */
export function compressJson(app: FastifyInstance, { tagged }: Options = {}): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (!isLongText(payload) || !['GET', 'POST'].includes(method) || !isJson(reply)) return payload
    reply.header('vary', 'accept-encoding')
    if (tagged && method === 'GET' && reply.statusCode === 200) {
      const etag = etagOf(payload)
      reply.header('etag', etag)
      if (hasAlready(headers, etag)) {
        reply.code(304)
        return null
      }
    }
    const encoding = acceptedEncoding(headers)
    if (!encoding) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return encoders[encoding](payload)
  })
}

const isLongText = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= minSize

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')
