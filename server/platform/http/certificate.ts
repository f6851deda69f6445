import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/** Where the service finds its certificate and key, and what messages call these files. */
interface CertificateFiles {
  certFile: string
  keyFile: string
  names: readonly [cert: string, key: string]
}

/** Both are null until the service has obtained its first certificate for DOMAIN. */
export type Certificate = CertificateFiles & ({ cert: Buffer; key: Buffer } | { cert: null; key: null })

/** Returns the certificate of TLS_CERT_FILE and its key of TLS_KEY_FILE. */
export const readCertificate = (certFile: string, keyFile: string): Certificate => {
  const files = { certFile, keyFile, names: ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const }
  return { ...files, ...readPair(files) }
}

/** Returns the certificate and key that the service keeps in one file. It obtains one that cannot be used again. */
export function readStoredCertificate(file: string): Certificate {
  const name = 'DOMAIN'
  const files = { certFile: file, keyFile: file, names: [name, name] as const }
  try {
    return { ...files, ...readPair(files) }
  } catch {
    return { ...files, cert: null, key: null }
  }
}

function readPair({ certFile, keyFile, names }: CertificateFiles): { cert: Buffer; key: Buffer } {
  const pair = { cert: content(certFile, names[0]), key: content(keyFile, names[1]) }
  try {
    createSecureContext(pair)
    return pair
  } catch (error) {
    const named = names[0] === names[1] ? `${names[0]} does` : `${names.join(' and ')} do`
    throw new Error(`${named} not hold a certificate and its key: ${(error as Error).message}.`)
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
/** Users wait for the first certificate. */
const lookForFirstEvery = 1000

/**
 * Uses a renewed certificate for new connections, without a restart. The two files are not replaced at the same moment, so
 * they count as renewed when they are the same twice in a row. A pair that cannot be used is logged once.
 */
export function renewCertificate(app: FastifyInstance, certificate: Certificate): void {
  const { certFile, keyFile } = certificate
  const server = app.server as unknown as Server
  const read = () => stateOf(certFile) + stateOf(keyFile)
  let current = read()
  let last = current
  let isFirst = certificate.cert === null
  const look = () => {
    const found = read()
    if (found !== current && found === last) {
      current = found
      try {
        server.setSecureContext(readPair(certificate))
        app.log.info(isFirst ? 'HTTPS has its certificate' : 'the certificate was renewed')
        isFirst = false
      } catch (err) {
        app.log.error({ err }, 'the renewed certificate cannot be used: the service continues with the previous one')
      }
    }
    last = found
  }
  const looking = setInterval(look, certificate.cert ? lookEvery : lookForFirstEvery).unref()
  app.addHook('onClose', async () => clearInterval(looking))
}

function stateOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return (error as Error).message
  }
}
