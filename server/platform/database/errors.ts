import { isLostNode, isUnplanned } from './cluster/errors.ts'

const awayCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // Shutting down, crashed, starting up, disconnected while idle, out of resources.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '53000',
  '53200',
  '53300',
  '53400',
])

/** Why a database that answers accepts no writes. */
export type Unwritable = 'read_only' | 'disk_full'

const unwritableCodes = new Map<string, Unwritable>([
  // Also after a failover.
  ['25006', 'read_only'],
  ['53100', 'disk_full'],
])

export type Conflict = 'lock_timeout' | 'deadlock' | 'serialization' | 'canceled'

// A statement that exceeds its time limit is canceled too.
const conflictCodes = new Map<string, Conflict>([
  ['57014', 'canceled'],
  ['55P03', 'lock_timeout'],
  ['40P01', 'deadlock'],
  ['40001', 'serialization'],
])

/** No connection was free in time. A retry may work. */
export class Busy extends Error {
  constructor() {
    super('no connection became free in time')
  }
}

/** The transaction took too long, and changed nothing. A retry may work. */
export class TooLong extends Busy {
  override message = 'the transaction took too long'
}

/** The database does not answer. `isAway` knows its code. */
export class Unavailable extends Error {
  readonly code = 'CONNECTION_CLOSED'

  constructor() {
    super('the database is unavailable')
  }
}

/** Returns whether the database, or the part of it with these rows, is unavailable, and did not just reject the statement. */
export function isAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  if (isLostNode(error) || isUnplanned(error)) return true
  if (unwritableBy(error)) return true
  return typeof code === 'string' && (awayCodes.has(code) || code.startsWith('08'))
}

/** Returns why the statement could not write, if the whole database accepts no writes. */
export function unwritableBy(error: unknown): Unwritable | undefined {
  return unwritableCodes.get(String((error as { code?: unknown } | null)?.code))
}

/** Returns how a statement failed that another transaction, or its time limit, ended. */
export function findConflict(error: unknown): Conflict | undefined {
  return conflictCodes.get(String((error as { code?: unknown } | null)?.code))
}

/** Returns whether the database answers but is busy: a retry may work. */
export function isBusy(error: unknown): boolean {
  return error instanceof Busy || findConflict(error) !== undefined || isClosed(error)
}

/** Returns whether the account is being restored or deleted: act_as rejects every actor. */
export function isClosed(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'LE001'
}

/** Returns whether the statement took longer than its time limit. */
export function isCanceled(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014'
}

/** Returns whether another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '55P03'
}

export function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}

// Data exceptions and violated constraints, also those of views; exceptions of triggers; a value too large for its index.
const rowCodes = /^(22|23|44)...$|^P0001$|^54000$/

/** Returns whether the database rejected the values of a row, while other rows can be saved. */
export function isRejectedRow(error: unknown): boolean {
  return rowCodes.test(String((error as { code?: unknown } | null)?.code))
}

/** Returns whether PostgreSQL ended this transaction because of a deadlock. It can be started again. */
export function isDeadlock(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001'
}
