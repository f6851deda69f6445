import type { LoggedError } from './log-line.ts'

export const logFormats = ['text', 'json'] as const

interface Settings {
  logLevel: string
  /** Null: text on a terminal, else JSON. */
  logFormat: (typeof logFormats)[number] | null
}

type Stream = { write(line: string): void }

/** Returns how the service logs: `stream` is where, and standard output unless given. */
export function logOptions({ logLevel, logFormat }: Settings, stream?: Stream) {
  const options = { level: logLevel, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  if (isText(logFormat)) {
    const target = stream ?? process.stdout
    return { ...options, stream: { write: (line: string) => void target.write(logText(line)) } }
  }
  return stream ? { ...options, stream } : options
}

/** Whether lines are text. Unless LOG_FORMAT says so, they are on a terminal. */
export const isText = (format: Settings['logFormat']) => (format ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text'

const levels: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO ', 40: 'WARN ', 50: 'ERROR', 60: 'FATAL' }

interface Line extends Record<string, unknown> {
  time: string
  level: number
  msg?: string
}

/** Returns a JSON line of the log as text for people. */
export function logText(line: string): string {
  const {
    time,
    level,
    msg,
    pid: _,
    hostname: __,
    reqId,
    err,
    method,
    route,
    status,
    ms,
    address,
    ...rest
  } = JSON.parse(line) as Line
  const request = route === undefined ? [] : [method, route, status, `${ms} ms`, address]
  const values = Object.entries({ ...rest, ...(err && reqId ? { reqId } : {}) })
  const parts = [
    time,
    levels[level] ?? level,
    msg,
    ...request,
    ...values.map(([name, value]) => `${name}=${plain(value)}`),
  ]
  return `${parts
    .filter((part) => part !== undefined)
    .map(plain)
    .join(' ')}\n${err ? errorText(err as LoggedError) : ''}`
}

function errorText({ type, message, stack, cause }: LoggedError): string {
  const lines = [`  ${plain(type)}: ${plain(message)}`, ...stack.split('\n').filter(Boolean).map(plain)]
  return `${lines.join('\n')}\n${cause ? errorText(cause) : ''}`
}

/** Control characters in a value would start a line, or control the terminal. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (sign) =>
    JSON.stringify(sign)
      .slice(1, -1)
      .replace(/^[^\\]$/u, '?'),
  )
}
