import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'

/** An identifier in a statement. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Text of SQL between values, which may be parts themselves. */
class Part {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[] = []) {
    this.texts = texts
    this.values = values
  }
}

/**
 * Returns a tag like that of the driver, for frequent statements of many parts: the driver makes a promise of each part, which
 * costs more than the rest of a statement. `send` sends the statement. For templates, names and JSON only.
 */
export function composing<T extends Sql | TransactionSql>(sql: T): T {
  const tag = (first: TemplateStringsArray | string, ...values: unknown[]) =>
    typeof first === 'string' ? new Part([quoted(first)]) : new Part(first, values)
  return Object.assign(tag, { json: sql.json }) as unknown as T
}

/** Sends a statement that was composed. */
export function send<T extends readonly (object | undefined)[] = Row[]>(
  sql: Sql | TransactionSql,
  statement: PendingQuery<Row[]>,
): PendingQuery<T & Row[]> {
  const parameters: unknown[] = []
  const text = textOf(statement, parameters)
  return sql.unsafe(text, parameters as never[], { prepare: true }) as unknown as PendingQuery<T & Row[]>
}

/** Writes a value of a template: a part or a list of parts as text, anything else as a parameter. */
function textOf(value: unknown, parameters: unknown[]): string {
  if (value instanceof Part) {
    const [start = '', ...rest] = value.texts
    return rest.reduce((text, next, at) => text + textOf(value.values[at], parameters) + next, start)
  }
  if (Array.isArray(value) && value[0] instanceof Part) return value.map((part) => textOf(part, parameters)).join(' ')
  parameters.push(value)
  return `$${parameters.length}`
}
