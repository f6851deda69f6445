import { join } from 'node:path'

/** Something in a file that breaks a rule. The message says what to do. */
export interface Problem {
  file: string
  line: number
  message: string
}

export const root = join(import.meta.dirname, '..')

/** Prints problems as `file:line: message`, which editors and terminals link, and fails the run if there are any. */
export function report(problems: Problem[]): void {
  const sorted = problems.toSorted((one, other) => compare(one.file, other.file) || one.line - other.line)
  for (const { file, line, message } of sorted) console.error(`${file}:${line}: ${message}`)
  if (problems.length > 0) process.exitCode = 1
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
