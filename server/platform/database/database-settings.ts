import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Connection, SignIns } from './connect.ts'
import { readDatabaseUrl } from './database-url.ts'

export interface DatabaseSettings {
  /** The owner's connection, from DATABASE_URL and DATABASE_PASSWORD_FILE. Not in the configuration, which stays in memory. */
  owner: Connection | null
  /** From DATABASE_APP_URL and DATABASE_DIRECTORY_URL. */
  given: SignIns | null
  /** From DATABASE_READ_URL. The service's own roles sign in there, so user and password are not used. */
  replica: Connection | null
  /** The folder of the embedded database, which is used if no URL is set. */
  dataDir: string
}

export function readDatabaseSettings(env: Record<string, string | undefined>): DatabaseSettings {
  const read = (name: string) => {
    const text = env[name]?.trim()
    return text ? readDatabaseUrl(text, name) : null
  }
  const [owner, app, directory, replica] = [
    'DATABASE_URL',
    'DATABASE_APP_URL',
    'DATABASE_DIRECTORY_URL',
    'DATABASE_READ_URL',
  ].map(read)
  const passwordFile = env.DATABASE_PASSWORD_FILE?.trim()
  if (passwordFile && !owner) throw new Error('DATABASE_PASSWORD_FILE needs DATABASE_URL: set both, or neither.')
  if (passwordFile && owner!.password)
    throw new Error('DATABASE_PASSWORD_FILE is set, and DATABASE_URL has a password too: remove one of them.')
  if (!app !== !directory) {
    throw new Error('DATABASE_APP_URL and DATABASE_DIRECTORY_URL go together: set both, or neither.')
  }
  if (app && directory && app.username === directory.username) {
    throw new Error('DATABASE_APP_URL and DATABASE_DIRECTORY_URL must sign in as two different roles.')
  }
  if (replica && !owner && !app) {
    throw new Error('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replica.')
  }
  return {
    owner: owner ? { ...owner, ...(passwordFile ? { password: readPassword(passwordFile) } : {}) } : null,
    given: app && directory ? { app, directory } : null,
    replica: replica ?? null,
    dataDir: resolve(env.DATA_DIR?.trim() || './data'),
  }
}

function readPassword(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`DATABASE_PASSWORD_FILE cannot be read (${(error as Error).message}).`, { cause: error })
  }
  const password = text.replace(/\r?\n$/, '')
  if (password === '') throw new Error(`DATABASE_PASSWORD_FILE is ${file}, which is empty: write the password there.`)
  return password
}
