import { setTimeout as sleep } from 'node:timers/promises'
import { isLockTimeout } from '../../server/platform/database/errors.ts'

/** What a check found. `fix` says what to do; a check that succeeded may have advice there. */
export interface Finding {
  ok: boolean
  message: string
  fix: string | null
}

export interface Check {
  name: string
  /** The time limit. 10 seconds unless set. */
  seconds?: number
  run(signal: AbortSignal): Promise<Finding>
}

export interface CheckResult extends Finding {
  name: string
  /** False if the check needs something that an earlier check did not find. Then `ok` is false too. */
  checked: boolean
}

export const fine = (message: string, advice: string | null = null): Finding => ({ ok: true, message, fix: advice })
export const problem = (message: string, fix: string): Finding => ({ ok: false, message, fix })

/** Joins the first texts of a list, and says how many more there are. */
export function named(
  texts: string[],
  { separator = '; ', max = 5 }: { separator?: string; max?: number } = {},
): string {
  const more = texts.length - max
  return texts.slice(0, max).join(separator) + (more > 0 ? `${separator}and ${more} more` : '')
}

/** The advice for what `--repair` or these statements correct. */
export const repairOrRun = (statements: string[]): string =>
  `Run lead-engine doctor --repair, or as the owner of the database: ${named(statements)}.`

/** Returns the problem that a sentence names. After its first colon, it says what to do. */
export function problemIn(sentence: string): Finding {
  const at = sentence.indexOf(': ')
  const fix = sentence.slice(at + 2)
  return problem(`${sentence.slice(0, at)}.`, fix.charAt(0).toUpperCase() + fix.slice(1))
}

/** Returns what functions that read variables find wrong, in sentences. */
export function problemsOf(readers: (() => unknown)[]): string[] {
  return readers.flatMap((read) => {
    try {
      read()
      return []
    } catch (error) {
      return (error as Error).message.split('\n')
    }
  })
}

/** A check cannot run because of another one. The message says why. */
class NotChecked extends Error {}

/** A value that one check finds and others need. They are not checked without it. */
export interface Found<T> {
  set(value: T): T
  get(): T
  orNull(): T | null
}

export function found<T>(missing: string): Found<T> {
  let value: T | undefined
  return {
    set: (given) => {
      value = given
      return given
    },
    get: () => {
      if (value === undefined) throw new NotChecked(missing)
      return value
    },
    orNull: () => value ?? null,
  }
}

/**
 * Runs the checks in order. A check that fails, or exceeds its time limit, does not stop the others. `findBlocking` returns what they
 * wait for, if it is known.
 */
export async function runChecks(
  checks: Check[],
  report: (result: CheckResult) => void = () => {},
  findBlocking: () => Promise<Finding | null> = async () => null,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    const result = await runCheck(check, findBlocking)
    results.push(result)
    report(result)
  }
  return results
}

async function runCheck(
  { name, run, seconds = 10 }: Check,
  findBlocking: () => Promise<Finding | null>,
): Promise<CheckResult> {
  const ended = new AbortController()
  try {
    const late = sleep(seconds * 1000, null, { signal: ended.signal })
    // Ends without a result when the check ends first.
    late.catch(() => {})
    const running = run(ended.signal)
    // It may still fail after the time limit.
    running.catch(() => {})
    const finding = await Promise.race([running, late])
    return { name, checked: true, ...(finding ?? (await findBlocking()) ?? tooSlow(seconds)) }
  } catch (error) {
    if (error instanceof NotChecked) {
      return { name, checked: false, ok: false, message: `Not checked: ${error.message}.`, fix: null }
    }
    const blocked = isLockTimeout(error) && (await findBlocking())
    return { name, checked: true, ...(blocked || failed(error)) }
  } finally {
    ended.abort()
  }
}

/** PostgreSQL reports what it cannot read as XX001 or XX002. */
function failed(error: unknown): Finding {
  const isDamage = /^XX00[12]$/.test(String((error as { code?: unknown } | null)?.code))
  return problem(
    `The check failed: ${errorMessage(error)}.`,
    isDamage ? 'Files of the database are damaged: do what the check storage says.' : 'Report this if it persists.',
  )
}

const tooSlow = (seconds: number) =>
  problem(`The check did not end within ${seconds} seconds.`, 'Run doctor again when the machine is less busy.')

/** Returns the message of an error without its final dot. That of several failed connections is empty. */
export function errorMessage(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown }
  return (message || String(code ?? error)).replace(/\.$/, '')
}
