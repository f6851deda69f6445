/** A row of a result, by the names of its columns. */
// biome-ignore lint/suspicious/noExplicitAny: a statement names the type of its rows where it matters
export type Row = Record<string, any>

export type Rows<T extends readonly unknown[] = Row[]> = T & { count: number }

/** A statement, which is sent when it is awaited, or a part of one. */
export type Statement<T extends readonly unknown[] = Row[]> = Pick<Part, 'write'> & Promise<Rows<T>>

/** Sends a statement, which stays prepared on its connection if it comes often. */
export type Send = (text: string, values: unknown[], isFrequent: boolean) => Promise<Rows>

class Part {
  readonly #send: Send
  readonly #texts: readonly string[]
  readonly #values: readonly unknown[]
  #sent: Promise<Rows> | undefined

  constructor(send: Send, texts: readonly string[], values: readonly unknown[] = []) {
    this.#send = send
    this.#texts = texts
    this.#values = values
  }

  /** Returns the text, and appends the values of its parameters. */
  write(values: unknown[]): string {
    return this.#texts.reduce((text, next, at) => text + writeValue(this.#values[at - 1], values) + next)
  }

  // biome-ignore lint/suspicious/noThenProperty: nothing is sent for a part of another statement
  then(...reactions: Parameters<Promise<Rows>['then']>) {
    this.#sent ??= this.#start()
    return this.#sent.then(...reactions)
  }

  async #start() {
    const values: unknown[] = []
    return this.#send(this.write(values), values, true)
  }
}
const { catch: orElse, finally: afterwards } = Promise.prototype
Object.assign(Part.prototype, { catch: orElse, finally: afterwards })

/** Names the types that PostgreSQL cannot always infer, as in `$1 - interval '1 day'`. */
function writeValue(value: unknown, values: unknown[]): string {
  if (value instanceof Part) return value.write(values)
  if (Array.isArray(value) && value[0] instanceof Part) return value.map((part) => part.write(values)).join(' ')
  if (value === undefined)
    throw Object.assign(new Error('a value of a statement is missing'), { code: 'UNDEFINED_VALUE' })
  if (value instanceof Date) return `$${values.push(value.toISOString())}::timestamptz`
  return `$${values.push(value)}${typeof value === 'boolean' ? '::boolean' : ''}`
}

/** An identifier in a statement. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A tag of templates: each value is a parameter, a list, or a part. */
interface Tag {
  <T extends readonly unknown[] = Row[]>(texts: TemplateStringsArray, ...values: unknown[]): Statement<T>
  /** An identifier, a list of them, or the columns and values of a new row. */
  (named: string | readonly string[] | object): Statement
  json(value: unknown): Statement
  unsafe<T extends readonly unknown[] = Row[]>(text: string, values?: unknown[], isFrequent?: boolean): Statement<T>
}

export interface TransactionSql extends Tag {
  savepoint<T>(work: (tx: TransactionSql) => PromiseLike<T>): Promise<T>
}

export interface Sql extends Tag {
  begin<T>(work: (tx: TransactionSql) => PromiseLike<T>): Promise<T>
  begin<T>(mode: string, work: (tx: TransactionSql) => PromiseLike<T>): Promise<T>
  end(options?: { timeout?: number }): Promise<void>
}

/** Returns a tag whose statements `send` sends, with further functions. */
export function tagOf<T extends Tag>(send: Send, more: Omit<T, keyof Tag>): T {
  const identifier = (name: string) => name.split('.').map(quoted).join('.')
  const tag = (named: string | readonly string[] | object, ...values: unknown[]) => {
    if (typeof named === 'string') return new Part(send, [identifier(named)])
    if ('raw' in named) return new Part(send, named as TemplateStringsArray, values)
    if (Array.isArray(named)) return new Part(send, [named.map(identifier).join(', ')])
    const [first, ...others] = Object.keys(named).map(quoted)
    return new Part(send, [`(${[first, ...others]}) values (`, ...others.map(() => ', '), ')'], Object.values(named))
  }
  const json = (value: unknown) => new Part(send, ['', '::jsonb'], [JSON.stringify(value)])
  const unsafe = (text: string, values: unknown[] = [], isFrequent = false) =>
    new Part(() => send(text, values, isFrequent), [text])
  return Object.assign(tag, { json, unsafe }, more) as unknown as T
}
