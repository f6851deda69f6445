import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { settings } from '../../server/variables.ts'

export interface Bucket {
  bucket: string
  /** Without slashes at its ends; may be empty. */
  prefix: string
  /** Null: that of Amazon. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type TargetSettings = { folder: string } | Bucket

export interface ContinuousSettings {
  target: TargetSettings
  /** The content of the key file. */
  secret: string
  /** To how many days ago the data can be restored. */
  days: number
}

type Variables = Record<string, string | undefined>

const ownDatabaseProblem =
  'CONTINUOUS_BACKUP saves the embedded database only. Back your own PostgreSQL up with pgBackRest or WAL-G: docs/backup.md ' +
  'says how. Remove CONTINUOUS_BACKUP, or DATABASE_URL.'

/** Reads the variables; null without CONTINUOUS_BACKUP. Throws one error with all problems. Never repeats a secret. */
export function readContinuousSettings(env: Variables): ContinuousSettings | null {
  const given = (name: string) => env[name]?.trim() || null
  const place = given('CONTINUOUS_BACKUP')
  if (place === null) return null
  if (given('DATABASE_URL') ?? given('DATABASE_APP_URL')) throw new Error(ownDatabaseProblem)
  const problems: string[] = []
  const read = <T>(way: () => T): T | null => {
    try {
      return way()
    } catch (error) {
      problems.push((error as Error).message)
      return null
    }
  }
  const target = read(() => targetOf(place, given))
  const secret = read(() => secretOf(given('CONTINUOUS_BACKUP_KEY_FILE')))
  const days = read(() => daysOf(given('CONTINUOUS_BACKUP_DAYS')))
  if (target === null || secret === null || days === null) throw new Error(problems.join('\n'))
  return { target, secret, days }
}

function targetOf(place: string, given: (name: string) => string | null): TargetSettings {
  if (!place.includes('://')) return { folder: resolve(place) }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? []
  if (!bucket || !/^[\w./-]*$/.test(prefix))
    throw new Error(
      'CONTINUOUS_BACKUP must be a folder, or a bucket such as s3://my-bucket/lead-engine (letters, digits, ., _, - and /).',
    )
  const endpoint = given('AWS_ENDPOINT_URL')
  if (endpoint !== null && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    throw new Error('AWS_ENDPOINT_URL must be the URL of an S3 service, such as https://s3.example.com.')
  const [accessKeyId, secretAccessKey] = [given('AWS_ACCESS_KEY_ID'), given('AWS_SECRET_ACCESS_KEY')]
  if (!accessKeyId || !secretAccessKey)
    throw new Error('CONTINUOUS_BACKUP names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const region = given('AWS_REGION') ?? 'us-east-1'
  return {
    bucket,
    prefix: prefix.replace(/^\/+|\/+$/g, ''),
    endpoint: endpoint?.replace(/\/+$/, '') ?? null,
    region,
    accessKeyId,
    secretAccessKey,
  }
}

const makeKey = 'Make one with: (umask 077; openssl rand -base64 32 > FILE), and keep a copy away from this machine.'

function secretOf(file: string | null): string {
  const name = 'CONTINUOUS_BACKUP_KEY_FILE'
  if (file === null) throw new Error(`CONTINUOUS_BACKUP needs ${name}, the file with the key that encrypts. ${makeKey}`)
  let secret: string
  try {
    secret = readFileSync(resolve(file), 'utf8').trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT'
        ? `${name} is ${file}, and there is no such file. ${makeKey}`
        : `${name} cannot be read (${message}).`,
      { cause: error },
    )
  }
  if (secret.length < 32 || secret.length > 10_000)
    throw new Error(`${name} must have a file with 32 characters or more. ${makeKey}`)
  return secret
}

function daysOf(text: string | null): number {
  const { fallback, min, max } = settings.CONTINUOUS_BACKUP_DAYS.limits
  if (text === null) return fallback
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < min || days > max)
    throw new Error(`CONTINUOUS_BACKUP_DAYS must be a whole number from ${min} to ${max}, and is "${text}".`)
  return days
}
