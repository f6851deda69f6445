import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { scriptFile } from './scripts.ts'

/** Requests of one kind: which ones are sent one after the other, over how many connections. */
export interface Load {
  url: string
  /** The body of a function that returns the next request, in Lua. It has `n`, which no other request has had. */
  request: string
  /** Lists that the request can use, by name. */
  lists?: Record<string, string[]>
  connections?: number
  /** Answers other than 2xx and 3xx are what is measured. */
  rejected?: boolean
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
}

let runs = 0

/** The median of a figure in several results. */
export function median<Field extends string>(results: Record<Field, number>[], field: Field): number {
  return results.map((result) => result[field]).sort((one, other) => one - other)[results.length >> 1]!
}

/**
 * Sends requests with wrk, which costs a fraction of what a client in Node does. Throws if an answer is not the expected one.
 */
export async function sendLoad(load: Load, seconds: number): Promise<LoadResult> {
  const { url, connections = 32, rejected = false } = load
  const threads = Math.min(connections, 2)
  runs += 1
  const script = scriptFile('wrk.lua', scriptOf(load, threads))
  const { stdout } = await promisify(execFile)('wrk', [
    ...[`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '30s', '-s', script, url],
  ]).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is missing: install the package wrk') : error
  })
  const number = (pattern: RegExp) => pattern.exec(stdout)?.[1]
  const bad = Number(number(/Non-2xx or 3xx responses: (\d+)/) ?? 0)
  const total = Number(number(/(\d+) requests in/))
  const errors = /Socket errors: .*/.exec(stdout)?.[0]
  // The first request of a minute passes a limit of one.
  if (errors || (rejected ? bad < total - 1 : bad > 0))
    throw new Error(`${rejected ? total - bad : bad} of ${total} answers of ${url} were not expected. ${errors ?? ''}`)
  return {
    perSecond: Number(number(/Requests\/sec:\s+([\d.]+)/)),
    p50: milliseconds(number(/50%\s+(\S+)/)),
    p99: milliseconds(number(/99%\s+(\S+)/)),
  }
}

function milliseconds(text = ''): number {
  const [, value, unit] = /([\d.]+)(us|ms|s|m)/.exec(text) ?? []
  return Number(value) * { us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit as 'us']
}

function scriptOf({ request, lists = {} }: Load, threads: number): string {
  const quoted = (items: string[]) => items.map((item) => JSON.stringify(item)).join(', ')
  return `
local threads_made = 0
function setup(thread)
  thread:set("thread_number", threads_made)
  threads_made = threads_made + 1
end
${Object.entries(lists)
  .map(([name, items]) => `local ${name} = { ${quoted(items)} }`)
  .join('\n')}
local sent = 0
local function any(list) return list[math.random(#list)] end
function init() math.randomseed(${runs} * 1000 + thread_number) end
function request()
  sent = sent + 1
  local n = ${runs} * 10000000 + sent * ${threads} + thread_number
  ${request}
end
`
}
