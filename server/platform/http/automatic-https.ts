import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { domainToASCII } from 'node:url'
import { type Certificate, readStoredCertificate } from './certificate.ts'

/** A service that gets its own certificate from an authority, by ACME (RFC 8555). */
export interface AutomaticHttps {
  domain: string
  directoryUrl: string
  /** The certificates to trust at that URL; null: those that Node trusts. */
  ca: Buffer | null
  email: string | null
  /** Where HTTP is answered: to the authority, and with redirects. */
  httpPort: number
  /** In DATA_DIR. Another authority has another folder, so its account and its certificates are not mixed up with these. */
  folder: string
  /** The certificate and its key, in one file, which is replaced in one step. */
  file: string
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

type Given = (name: string) => string | null

/** Returns null if DOMAIN is not set. Throws a sentence that names the variables which do not go together. */
export function readAutomaticHttps(given: Given, { port, httpPort }: { port: number; httpPort: number }) {
  const domain = readDomain(given)
  if (domain === null) {
    const needless = ['ACME_DIRECTORY_URL', 'ACME_CA_FILE', 'ACME_EMAIL', 'ACME_HTTP_PORT'].find(given)
    if (needless) throw new Error(`${needless} needs DOMAIN: set both, or remove it.`)
    return null
  }
  for (const name of ['TLS_CERT_FILE', 'TLS_KEY_FILE'])
    if (given(name)) throw new Error(`DOMAIN gets its own certificate, and ${name} names another: remove one of them.`)
  if (given('TRUST_PROXY'))
    throw new Error(
      'With DOMAIN the service answers senders directly, and TRUST_PROXY names a proxy: remove one of them.',
    )
  const publicUrl = given('BASE_URL')
  if (port !== 443 && !publicUrl)
    throw new Error(
      `With DOMAIN the service listens on port 443, and PORT is ${port}: remove PORT, or set BASE_URL too if port 443 is forwarded to it.`,
    )
  if (publicUrl && URL.canParse(publicUrl)) {
    const { protocol, hostname } = new URL(publicUrl)
    if (protocol !== 'https:' || hostname !== domain)
      throw new Error(`BASE_URL is ${publicUrl}, and DOMAIN makes it https://${domain}: remove one of them.`)
  }
  if (httpPort === port && port !== 0)
    throw new Error(`ACME_HTTP_PORT and PORT are both ${port}: HTTP and HTTPS need ports of their own.`)
  const directoryUrl = readDirectoryUrl(given)
  const folder = join(resolve(given('DATA_DIR') ?? './data'), 'https', folderName(directoryUrl))
  return {
    domain,
    directoryUrl,
    ca: readCa(given),
    email: readEmail(given),
    httpPort,
    folder,
    file: join(folder, `${domain}.pem`),
  } satisfies AutomaticHttps
}

/** Returns the certificate that is stored. It is not there before the authority has issued the first one. */
export const storedCertificate = ({ file }: AutomaticHttps): Certificate => readStoredCertificate(file)

/** All IP addresses of this machine: senders and the authority may use IPv6 too. */
export function anyIp(): string {
  const hasIpv6 = Object.values(networkInterfaces()).some((ips) => ips?.some(({ family }) => family === 'IPv6'))
  return hasIpv6 ? '::' : '0.0.0.0'
}

const labels = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/

function readDomain(given: Given): string | null {
  const text = given('DOMAIN')
  if (text === null) return null
  const domain = domainToASCII(text).toLowerCase()
  if (labels.test(domain) && isIP(domain) === 0) return domain
  const host = URL.canParse(text) ? new URL(text).hostname : ''
  const advice = labels.test(host) ? `: set it to ${host}` : ''
  throw new Error(`DOMAIN must be one host name such as leads.example.in, and is "${text}"${advice}.`)
}

function readDirectoryUrl(given: Given): string {
  const text = given('ACME_DIRECTORY_URL') ?? letsEncrypt
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:')
    throw new Error(`ACME_DIRECTORY_URL must be a URL that starts with https://, and is "${text}".`)
  return new URL(text).href
}

/** Two directories of one authority, such as one for tests, differ in host or path. */
const folderName = (directoryUrl: string) =>
  directoryUrl
    .replace(/^https:\/\//, '')
    .replace(/[^A-Za-z\d.-]+/g, '_')
    .slice(0, 100)

function readCa(given: Given): Buffer | null {
  const file = given('ACME_CA_FILE')
  if (file === null) return null
  try {
    const ca = readFileSync(file)
    createSecureContext({ ca })
    if (!ca.includes('BEGIN CERTIFICATE')) throw new Error('it has no certificate')
    return ca
  } catch (error) {
    throw new Error(`ACME_CA_FILE cannot be used: ${(error as Error).message}.`, { cause: error })
  }
}

function readEmail(given: Given): string | null {
  const email = given('ACME_EMAIL')
  if (email !== null && !/^[^\s@,?:]+@[^\s@,?:]+\.[^\s@,?:]+$/.test(email))
    throw new Error(`ACME_EMAIL must be one email address, and is "${email}".`)
  return email
}
