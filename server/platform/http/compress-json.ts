import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptedEncoding } from './compressed-answer.ts'

/** In bytes. A smaller answer is one packet anyway. */
const minSize = 1024

/** Beyond these levels, more time saves little. A thread of zlib works, so that other requests go on. */
const encoders = {
  br: (text: string | Buffer) => promisify(brotliCompress)(text, { params: brotliParams }),
  gzip: (text: string | Buffer) => promisify(gzip)(text, { level: 6 }),
}

const brotliParams = {
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  [constants.BROTLI_PARAM_QUALITY]: 5,
  // 256 KiB for each answer that is being compressed, rather than 4 MiB.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** Compresses JSON for clients that accept it. Streams are sent as they come. */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isText || payload.length < minSize || method === 'HEAD' || reply.hasHeader('content-encoding')) return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = acceptedEncoding(headers)
    if (!encoding) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return encoders[encoding](payload)
  })
}
