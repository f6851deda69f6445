import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type SingleSignOn, singleSignOn } from './access/sign-in/single-sign-on-settings.ts'
import { type AutomaticHttps, anyIp, readAutomaticHttps, storedCertificate } from './platform/http/automatic-https.ts'
import { type Certificate, readCertificate } from './platform/http/certificate.ts'
import { type IpList, parseIpList } from './platform/http/ip-list.ts'
import { logFormats } from './platform/http/log-format.ts'
import { isLoopback } from './platform/http/origins.ts'
import { type MailSettings, mailSettings } from './platform/mail/mail-settings.ts'
import { type Limits, misspelt, type NumberName, settings } from './variables.ts'

export interface Config {
  port: number
  host: string
  /** The URL of the service for users and webhook senders, without a trailing slash. */
  baseUrl: string
  /** Processes that answer requests on the same port. With 1, this process does everything. */
  workers: number
  /** Connections for requests of one process. */
  databasePoolSize: number
  redisUrl: string | null
  rateLimitPerMinute: number
  webhookLimitPerMinute: number
  webhookStorageMbPerDay: number
  webLimitPerMinute: number
  deliveryRetentionDays: number
  trustProxy: IpList | null
  /** The IP addresses that may read /metrics; null means none. */
  metricsFrom: IpList | null
  tls: Certificate | null
  /** Set with DOMAIN: `tls` is then obtained and renewed by the service. */
  automaticHttps: AutomaticHttps | null
  /** Null if no email is sent. */
  mail: MailSettings | null
  /** Null if users sign in with passwords only. */
  singleSignOn: SingleSignOn | null
  logLevel: string
  /** Null: text on a terminal, else JSON. */
  logFormat: (typeof logFormats)[number] | null
  /** Where daily backups are written; null means none. */
  backupDir: string | null
  /** How many daily backups are kept. */
  backupKeep: number
  /** Whether each change is saved at another place. The settings are not here: this process does not need them. */
  hasContinuousBackup: boolean
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the environment. Throws one error that names every invalid variable, each in a sentence on its own line. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems = misspelt(env)
  const read = <T>(way: (given: Given) => T, otherwise: T): T => {
    try {
      return way((name) => env[name]?.trim() || null)
    } catch (error) {
      problems.push((error as Error).message)
      return otherwise
    }
  }
  const number = (name: NumberName, fallback: number = settings[name].limits.fallback) => {
    const { limits } = settings[name]
    return read((given) => whole(given, name, { ...limits, fallback }), fallback)
  }
  const hasDomain = Boolean(env.DOMAIN?.trim())
  const port = number('PORT', hasDomain ? 443 : undefined)
  const httpPort = number('ACME_HTTP_PORT')
  const host = read((given) => hostOf(given, hasDomain ? anyIp() : '127.0.0.1'), '127.0.0.1')
  const automaticHttps = read((given) => readAutomaticHttps(given, { port, httpPort }), null)
  const tls = automaticHttps ? storedCertificate(automaticHttps) : hasDomain ? null : read(certificate, null)
  const publicUrl = read(
    (given) =>
      baseUrl(given, automaticHttps ? `https://${automaticHttps.domain}` : urlOf({ host, port, isTls: tls !== null })),
    null,
  )
  const config = {
    port,
    host,
    baseUrl: publicUrl ?? '',
    workers: number('WORKERS'),
    databasePoolSize: number('DATABASE_POOL_SIZE'),
    redisUrl: read((given) => url(given, 'REDIS_URL', ['redis:', 'rediss:']), null),
    rateLimitPerMinute: number('RATE_LIMIT_PER_MINUTE'),
    webhookLimitPerMinute: number('WEBHOOK_LIMIT_PER_MINUTE'),
    webhookStorageMbPerDay: number('WEBHOOK_STORAGE_MB_PER_DAY'),
    webLimitPerMinute: number('WEB_LIMIT_PER_MINUTE'),
    deliveryRetentionDays: number('DELIVERY_RETENTION_DAYS'),
    trustProxy: read((given) => ipList(given, 'TRUST_PROXY'), null),
    metricsFrom: read(
      (given) => ipList(given, 'METRICS_FROM', publicUrl && isLoopback(publicUrl) ? loopback : null),
      null,
    ),
    tls,
    automaticHttps,
    // Without a BASE_URL there is no domain for the sender, which would be a second problem.
    mail: read((given) => mailSettings(given('SMTP_URL'), given('MAIL_FROM'), publicUrl ?? 'http://example.com'), null),
    singleSignOn: read(singleSignOn, null),
    backupDir: read((given) => folder(given('BACKUP_DIR')), null),
    backupKeep: number('BACKUP_KEEP'),
    hasContinuousBackup: Boolean(env.CONTINUOUS_BACKUP?.trim()),
    logLevel: read((given) => readChoice(given, 'LOG_LEVEL', logLevels), null) ?? 'info',
    logFormat: read((given) => readChoice(given, 'LOG_FORMAT', logFormats), null),
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

/** Returns the value of a variable, or null if it is not set or blank. */
type Given = (name: string) => string | null

/** Returns how many database connections the processes of this service may open. */
export function countConnections({ workers, databasePoolSize }: Pick<Config, 'workers' | 'databasePoolSize'>): number {
  const processes = workers === 1 ? 1 : workers + 1
  return processes * (databasePoolSize + connectionsBeside)
}

/** The connections of a process for sign-in, API keys and notifications. */
const connectionsBeside = 7

function whole(given: Given, name: string, { fallback, min, max }: Limits): number {
  const text = given(name)
  if (text === null) return fallback
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, and is "${text}".`)
  }
  return number
}

function url(given: Given, name: string, protocols: string[]): string | null {
  const text = given(name)
  if (text === null) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    // The value may hold a password, so it is not repeated.
    throw new Error(`${name} must be a URL that starts with ${protocols[0]}//.`)
  }
  return text
}

const urlOf = ({ host, port, isTls }: { host: string; port: number; isTls: boolean }) =>
  `${isTls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`

function hostOf(given: Given, fallback: string): string {
  const host = given('HOST') ?? fallback
  // A name may have several IP addresses, of which one would be chosen at random.
  if (host !== 'localhost' && (isIP(host) === 0 || host.includes('%'))) {
    throw new Error(
      `HOST must be one IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all, and is "${host}".`,
    )
  }
  return host
}

function certificate(given: Given): Certificate | null {
  const certFile = given('TLS_CERT_FILE')
  const keyFile = given('TLS_KEY_FILE')
  if ((certFile === null) !== (keyFile === null)) {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE go together: set both, or neither.')
  }
  return certFile && keyFile ? readCertificate(certFile, keyFile) : null
}

function baseUrl(given: Given, fallback: string): string {
  const text = given('BASE_URL') ?? fallback
  const isUrl = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  if (!isUrl) {
    const whole = `https://${text}`
    const isHost = /^[\w.-]+(:\d+)?(\/|$)/.test(text) && URL.canParse(whole)
    const advice = isHost ? `: set it to ${new URL(whole).origin}` : ''
    throw new Error(`BASE_URL must be a URL that starts with https:// or http://, and is "${text}"${advice}.`)
  }
  const { origin, username, password, pathname, search, hash } = new URL(text)
  if (username || password) throw new Error('BASE_URL must have no user and no password.')
  if (/[^/]/.test(pathname) || search || hash)
    throw new Error(
      `BASE_URL must be a host of its own without a path, and is "${text}": set it to ${origin}, or to another host name.`,
    )
  return text.replace(/\/+$/, '')
}

function ipList(given: Given, name: string, fallback: string | null = null): IpList | null {
  const text = given(name) ?? fallback
  if (text === null) return null
  try {
    return parseIpList(text)
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}.`)
  }
}

/** For a loopback BASE_URL. With any other, local requests may come through a proxy, and so from anywhere. */
const loopback = '127.0.0.0/8,::1'

const folder = (text: string | null) => (text === null ? null : resolve(text))

function readChoice<T extends string>(given: Given, name: string, values: readonly T[]): T | null {
  const text = given(name)
  const choice = values.find((value) => value === text) ?? null
  if (text !== null && choice === null)
    throw new Error(`${name} must be one of ${values.join(', ')}, and is "${text}".`)
  return choice
}
