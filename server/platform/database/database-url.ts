import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { checkServerIdentity, createSecureContext, getCACertificates } from 'node:tls'
import type { Connection } from './connect.ts'

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

const names = ['host', 'port', 'user', 'password', 'dbname'] as const
const tlsNames = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const
const known: readonly string[] = [...names, ...tlsNames]
type Parameter = (typeof names)[number] | (typeof tlsNames)[number]

/**
 * Parses a PostgreSQL URL as libpq does, with the socket's folder in `?host=` and the parameters of TLS. Unknown
 * parameters are errors: a connection must not be less safe than its URL says.
 * Errors name the variable and never repeat the URL, which may hold a password.
 */
export function readDatabaseUrl(text: string, variable: string): Connection {
  const reject = (what: string) => new Error(`${variable} ${what}.`)
  // An @ after the host, before the value of a parameter: the password ended too early.
  if (/#|^postgres\w*:\/\/[^/?]+[/?][^=]*@/.test(text)) {
    throw reject(`has a #, or an @ after the host: write /, ?, #, @ and % in a password as ${encodedSigns}`)
  }
  if (!URL.canParse(text) || !['postgres:', 'postgresql:'].includes(new URL(text).protocol)) {
    throw reject(
      /^postgres(ql)?:\/\//.test(text)
        ? `is no valid URL: write host and port after the last @, and /, ?, #, @ and % in a password as ${encodedSigns}`
        : 'must be a URL that starts with postgres://',
    )
  }
  const url = new URL(text)
  const given = new Map<Parameter, string>()
  for (const [name, value] of url.searchParams) {
    if (name === 'channel_binding' && value !== 'require') continue
    if (!known.includes(name)) {
      throw reject(`has the parameter ${name}, which is not supported. Supported are ${known.join(', ')}`)
    }
    given.set(name as Parameter, value)
  }
  const part = (name: Parameter, fromUrl: string) => {
    try {
      // The query is decoded already.
      return given.get(name) ?? decodeURIComponent(fromUrl)
    } catch {
      throw reject(`has a % in its ${name} that is not followed by two hexadecimal digits: write % as %25`)
    }
  }
  const host = part('host', url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  if (host.includes(',')) throw reject('names several hosts, which is not supported')
  const port = given.get('port') ?? (url.port || '5432')
  if (!(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw reject('must have a port from 1 to 65535')
  }
  const ssl = tlsOf(copied(host), given, reject)
  return {
    host: copied(host),
    port: Number(port),
    username: part('user', url.username) || 'postgres',
    password: part('password', url.password),
    database: copied(part('dbname', url.pathname.slice(1))) || 'postgres',
    ...(ssl ? { ssl } : {}),
  }
}

/** Returns the URL of a connection, with the TLS parameters of another URL. */
export function writeDatabaseUrl({ host, port, username, password, database }: Connection, like: string): string {
  const url = new URL(like)
  url.username = ''
  url.password = ''
  const parameters = { host, port, user: username, password, dbname: database }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  return url.href
}

/** The modes of libpq, with the same checks. */
function tlsOf(host: string, given: Map<Parameter, string>, reject: (what: string) => Error): Connection['ssl'] {
  const rootCert = given.get('sslrootcert')
  // As in libpq, the system's certificates need verify-full.
  const mode = (given.get('sslmode') ?? (rootCert === 'system' ? 'verify-full' : null)) as Mode | null
  if (mode !== null && !modes.includes(mode)) throw reject(`must have one of ${modes.join(', ')} as sslmode`)
  const others = tlsNames.filter((name) => name !== 'sslmode' && given.has(name))
  if (host.startsWith('/')) {
    if (others.length > 0 || (mode && !['disable', 'allow', 'prefer'].includes(mode))) {
      throw reject('asks for TLS over a socket in a folder, which has none')
    }
    return undefined
  }
  if (mode === null || ['disable', 'allow', 'prefer'].includes(mode)) {
    if (others.length > 0) throw reject(`has ${others[0]}, which needs sslmode=require, verify-ca or verify-full`)
    return mode === null || mode === 'disable' ? undefined : 'prefer'
  }
  if (rootCert === 'system' && mode !== 'verify-full') throw reject('has sslrootcert=system, which needs verify-full')
  if (given.has('sslcert') !== given.has('sslkey')) throw reject('must have both sslcert and sslkey, or neither')
  const file = (name: Parameter) => {
    const path = given.get(name)
    if (path === undefined) return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      const isMissing = (error as { code?: string }).code === 'ENOENT'
      throw reject(`names ${path} as ${name}, ${isMissing ? 'and there is no such file' : 'which cannot be read'}`)
    }
  }
  const ca =
    rootCert === 'system' ? [...getCACertificates('default'), ...getCACertificates('system')] : file('sslrootcert')
  const own = { cert: file('sslcert'), key: file('sslkey'), passphrase: given.get('sslpassword') }
  const certificates = Object.fromEntries(Object.entries({ ca, ...own }).filter(([, value]) => value !== undefined))
  try {
    createSecureContext(certificates)
    // A file without a certificate would otherwise count as an empty list.
    if (Buffer.isBuffer(ca)) new X509Certificate(ca)
  } catch (error) {
    throw reject(`names certificates that cannot be used (${(error as Error).message})`)
  }
  return {
    ...certificates,
    // With a root certificate, libpq's `require` checks as verify-ca does.
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    checkServerIdentity: identityCheck(host, mode),
  }
}

const encodedSigns = '%2F, %3F, %23, %40 and %25'

/** Copies the text: a substring would keep the whole URL in memory, with its password. */
const copied = (part: string) => Buffer.from(part).toString()

/** Checks against the host of the URL: for an IP address the driver passes no name. */
function identityCheck(host: string, mode: Mode) {
  return (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined
}
