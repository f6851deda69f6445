import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/** The certificate of TLS_CERT_FILE and its key of TLS_KEY_FILE. */
export interface Certificate {
  certFile: string
  keyFile: string
  cert: Buffer
  key: Buffer
}

export function readCertificate(certFile: string, keyFile: string): Certificate {
  const pair = { cert: content(certFile, 'TLS_CERT_FILE'), key: content(keyFile, 'TLS_KEY_FILE') }
  try {
    createSecureContext(pair)
    return { certFile, keyFile, ...pair }
  } catch (error) {
    throw new Error(
      `TLS_CERT_FILE and TLS_KEY_FILE do not hold a certificate and its key: ${(error as Error).message}.`,
    )
  }
}

function content(file: string, name: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const there = (error as { code?: string }).code !== 'ENOENT'
    throw new Error(`${name} names ${file}, ${there ? 'which cannot be read' : 'and no such file is there'}.`)
  }
}

const lookEvery = 10_000

/**
 * Uses a renewed certificate for new connections, without a restart. The two files are not replaced at the same moment, so
 * they count as renewed when they are the same twice in a row. A pair that cannot be used is logged once.
 */
export function renewCertificate(app: FastifyInstance, { certFile, keyFile }: Certificate): void {
  const server = app.server as unknown as Server
  const read = () => stateOf(certFile) + stateOf(keyFile)
  let current = read()
  let last = current
  const look = () => {
    const found = read()
    if (found !== current && found === last) {
      current = found
      try {
        const { cert, key } = readCertificate(certFile, keyFile)
        server.setSecureContext({ cert, key })
        app.log.info('the certificate was renewed')
      } catch (err) {
        app.log.error({ err }, 'the renewed certificate cannot be used: the service continues with the previous one')
      }
    }
    last = found
  }
  const looking = setInterval(look, lookEvery).unref()
  app.addHook('onClose', async () => clearInterval(looking))
}

function stateOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return (error as Error).message
  }
}
