import { Command, Option } from 'commander'

/** Creates a command that prints text, or one JSON value with --json. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description).addOption(new Option('--json', 'print one JSON value'))
}

/** Creates a group of commands. It has no --json option, which would hide theirs. */
export function group(name: string, description: string): Command {
  return new Command(name).description(description)
}

/** Prints `value` as JSON with --json, else as the text of `toText`. */
export function print<T>(options: { json?: boolean }, value: T, toText: (value: T) => string): void {
  console.log(options.json ? JSON.stringify(value) : toText(value))
}

/** Prints lines while a command works, unless it prints JSON at its end. `lines` are those so far. */
export function progressLines({ json }: { json?: boolean }): { lines: string[]; say(line: string): void } {
  const lines: string[] = []
  return {
    lines,
    say(line) {
      lines.push(line)
      if (!json) console.log(line)
    },
  }
}

/** Formats rows in aligned columns. Returns `empty` if there are none. */
export function table(rows: Record<string, unknown>[], none: string): string {
  if (rows.length === 0) return none
  const names = Object.keys(rows[0]!)
  const lines = [names, ...rows.map((row) => names.map((name) => text(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((value, column) => value.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`
  return Array.isArray(value) ? value.join(',') || '-' : String(value)
}

/** Formats a number with its noun: 1 lead, 12 leads. */
export const count = (n: number, noun: string) => `${n.toLocaleString('en-IN')} ${noun}${n === 1 ? '' : 's'}`

/** A comma separated option. */
export const list = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Says where a restore has kept the database that was there before. */
export const formerLine = (former: string) =>
  `The former database is in ${former}: remove it when you no longer need it.`
