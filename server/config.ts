import { resolve } from 'node:path'
import { type Certificate, readCertificate } from './http/certificate.ts'
import { type IpList, parseIpList } from './http/ip-list.ts'
import { type MailSettings, mailSettings } from './mail/mail-settings.ts'

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
  /** Null if no email is sent. */
  mail: MailSettings | null
  logLevel: string
  /** Where daily backups are written; null means none. */
  backupDir: string | null
  /** How many daily backups are kept. */
  backupKeep: number
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Returns the value of a variable, or null if it is not set or blank. */
type Given = (name: string) => string | null

/** Reads the environment. Throws an error that names the invalid variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given: Given = (name) => env[name]?.trim() || null
  const port = whole(given, 'PORT', { fallback: 8080, least: 0, most: 65_535 })
  const host = given('HOST') ?? '127.0.0.1'
  const certFile = given('TLS_CERT_FILE')
  const keyFile = given('TLS_KEY_FILE')
  if ((certFile === null) !== (keyFile === null)) {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE go together: set both, or neither.')
  }
  const tls = certFile && keyFile ? readCertificate(certFile, keyFile) : null
  const publicUrl = baseUrl(given, `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`)
  return {
    port,
    host,
    baseUrl: publicUrl,
    workers: whole(given, 'WORKERS', { fallback: 1, least: 1, most: 64 }),
    databasePoolSize: whole(given, 'DATABASE_POOL_SIZE', { fallback: 10, least: 4, most: 500 }),
    redisUrl: url(given, 'REDIS_URL', ['redis:', 'rediss:']),
    rateLimitPerMinute: whole(given, 'RATE_LIMIT_PER_MINUTE', { fallback: 100, least: 1, most: 1_000_000 }),
    webhookLimitPerMinute: whole(given, 'WEBHOOK_LIMIT_PER_MINUTE', { fallback: 6000, least: 1, most: 10_000_000 }),
    webhookStorageMbPerDay: whole(given, 'WEBHOOK_STORAGE_MB_PER_DAY', { fallback: 256, least: 1, most: 1_000_000 }),
    webLimitPerMinute: whole(given, 'WEB_LIMIT_PER_MINUTE', { fallback: 600, least: 1, most: 1_000_000 }),
    deliveryRetentionDays: whole(given, 'DELIVERY_RETENTION_DAYS', { fallback: 30, least: 1, most: 3650 }),
    trustProxy: ipList(given, 'TRUST_PROXY'),
    metricsFrom: ipList(given, 'METRICS_FROM', isLoopback(publicUrl) ? loopback : null),
    tls,
    mail: mailSettings(given('SMTP_URL'), given('MAIL_FROM'), publicUrl),
    backupDir: folder(given('BACKUP_DIR')),
    backupKeep: whole(given, 'BACKUP_KEEP', { fallback: 14, least: 1, most: 10_000 }),
    logLevel: readChoice(given, 'LOG_LEVEL', logLevels, 'info'),
  }
}

/** Returns how many database connections the processes of this service may open. */
export function countConnections({ workers, databasePoolSize }: Pick<Config, 'workers' | 'databasePoolSize'>): number {
  const processes = workers === 1 ? 1 : workers + 1
  return processes * (databasePoolSize + connectionsBeside)
}

/** The connections of a process for sign-in, API keys and notifications. */
const connectionsBeside = 7

function whole(given: Given, name: string, { fallback, least, most }: Record<'fallback' | 'least' | 'most', number>) {
  const text = given(name)
  if (text === null) return fallback
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) {
    throw new Error(`${name} must be a whole number from ${least} to ${most}, and is "${text}".`)
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

function baseUrl(given: Given, fallback: string): string {
  return (url(given, 'BASE_URL', ['http:', 'https:']) ?? fallback).replace(/\/+$/, '')
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

const loopback = '127.0.0.0/8,::1'

/** With any other URL, local requests may come through a proxy, and so from anywhere. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

const folder = (text: string | null) => (text === null ? null : resolve(text))

function readChoice(given: Given, name: string, values: string[], fallback: string): string {
  const text = given(name) ?? fallback
  if (!values.includes(text)) throw new Error(`${name} must be one of ${values.join(', ')}, and is "${text}".`)
  return text
}
