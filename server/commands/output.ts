import { Command, Option } from 'commander'

/** A command that prints for people, or one JSON value with --json. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description).addOption(new Option('--json', 'print one JSON value'))
}

/** Commands about one matter. It takes no --json of its own, which would be taken away from them. */
export function group(name: string, description: string): Command {
  return new Command(name).description(description)
}

/** Prints `value` as JSON where that was asked for, else what `forPeople` makes of it. */
export function print<T>(options: { json?: boolean }, value: T, forPeople: (value: T) => string): void {
  console.log(options.json ? JSON.stringify(value) : forPeople(value))
}

/** Columns as wide as their widest value; a sentence where there is no row. */
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

/** A comma separated option. */
export const list = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
