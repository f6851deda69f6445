/**
 * Searches for the payloads and CSV files that keep the event loop busy longest: mutates structures, keeps the slowest,
 * and prints them. `npm run bench:reading -- --minutes 10`. Exits with 1 where a stretch is over 20 ms.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openLeadFile } from '../server/lead-import/lead-file.ts'
import { findContacts, readPayload, showPayload, stopIdleReaders } from '../server/payload/read-payload.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const maxMs = 20
const maxBytes = 3 * 1024 * 1024

interface Case {
  kind: 'json' | 'form' | 'csv'
  how: string
  value: unknown
  stretch: number
  total: number
  bytes: number
}

let state = seed
const random = () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const below = (most: number) => Math.floor(random() * most)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
/** Mostly small numbers, sometimes a very large one. */
const size = (most: number) => Math.floor(most ** random())

const words =
  `name phone mobile email contact customer message city company source agent owner question field answer label
  value type id data lead form first last number call event order item नाम फोन संदेश имя téléphone 電話 اسم`.split(/\s+/)
const label = () =>
  Array.from({ length: 1 + below(size(60)) }, () => pick(words) + (random() < 0.5 ? below(1e6) : '')).join(
    pick([' ', '_', '.', '-', '']),
  )
const longText = () =>
  pick(['x', 'aB', '9', 'é', '😀', '\\', '"', '(', ' ', '\n', 'Agent: ', '@', '.', '\u200b', 'a1']).repeat(
    size(200_000),
  )
const number = () => pick(['98200', '+1 415 ', '0044', '+91-', '']) + String(below(1e9))
const scalar = (): unknown =>
  pick([
    label,
    longText,
    number,
    () => `a${below(1e6)}@b${below(99)}.co`,
    () => below(1e12),
    () => null,
    () => true,
    () => pick(words),
  ])()

type Mutation = [how: string, mutate: (value: unknown) => unknown]
const entriesOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
const wide = (count: number, make: () => [string, unknown]) => Object.fromEntries(Array.from({ length: count }, make))
const list = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

const mutations: Mutation[] = [
  [
    'nest',
    (value) => list(size(60), label).reduce<unknown>((inner, key) => ({ [key]: inner, [label()]: scalar() }), value),
  ],
  ['nest in lists', (value) => list(size(5000), String).reduce<unknown>((inner) => [inner], value)],
  [
    'widen',
    (value) => ({
      ...entriesOf(value),
      ...wide(size(100_000), () => [label(), scalar()].slice(0, 2) as [string, unknown]),
    }),
  ],
  [
    'short keys',
    (value) => ({ ...entriesOf(value), ...wide(size(120_000), () => [below(1e9).toString(36), below(9)]) }),
  ],
  ['repeat', (value) => list(size(2000), () => value)],
  ['long key', (value) => ({ ...entriesOf(value), [longText()]: scalar() })],
  [
    'long keys around',
    (value) =>
      list(size(14), () => label().repeat(40).slice(0, size(3000))).reduce<unknown>(
        (inner, key) => ({ [key]: inner }),
        value,
      ),
  ],
  ['numbers', (value) => ({ ...entriesOf(value), [label()]: list(size(20_000), number) })],
  ['numbers by key', (value) => ({ ...entriesOf(value), ...wide(size(5000), () => [label(), number()]) })],
  ['emails', (value) => ({ ...entriesOf(value), ...wide(size(5000), () => [label(), `a${below(1e9)}@b.co`]) })],
  [
    'pairs',
    (value) => ({ ...entriesOf(value), [pick(words)]: list(size(400), () => ({ name: label(), value: scalar() })) }),
  ],
  ['two-element pairs', (value) => ({ ...entriesOf(value), fields: list(size(400), () => [label(), scalar()]) })],
  [
    'questions',
    (value) => ({
      ...entriesOf(value),
      questions: list(size(300), (id) => ({
        id,
        label: label(),
        choices: list(size(50), (choice) => ({ id: choice, label: label() })),
      })),
      answers: wide(size(300), () => [String(below(300)), scalar()]),
    }),
  ],
  [
    'twins',
    (value) => ({
      ...entriesOf(value),
      labels: wide(size(300), () => [`f${below(300)}`, label()]),
      answers: wide(size(300), () => [`f${below(300)}`, scalar()]),
    }),
  ],
  ['table', (value) => ({ ...entriesOf(value), columns: list(200, label), row: list(200, scalar) })],
  ['JSON within', (value) => ({ ...entriesOf(value), [label()]: JSON.stringify(value)?.slice(0, 1_000_000) })],
  ['JSON within JSON', (value) => ({ payload: JSON.stringify({ data: JSON.stringify(value) }) })],
  [
    'folded keys',
    (value) => ({
      ...entriesOf(value),
      ...wide(size(5000), () => [`${pick(words)}[${below(50)}][${label()}]`, scalar()]),
    }),
  ],
  ['long values', (value) => ({ ...entriesOf(value), ...wide(size(60), () => [label(), longText()]) })],
  [
    'same group',
    (value) => ({
      ...entriesOf(value),
      list: list(size(1000), () => ({ name: label(), phone: number(), email: 'a@b.co', type: 'agent' })),
    }),
  ],
  [
    'numbered parts',
    (value) => ({ ...entriesOf(value), ...wide(size(1000), () => [`${below(1e6)}.${pick([3, 6])}`, 'Asha']) }),
  ],
  [
    'shrink',
    (value) =>
      Array.isArray(value)
        ? value.slice(0, below(value.length))
        : Object.fromEntries(Object.entries(entriesOf(value)).slice(0, size(40))),
  ],
]

const payloads = readdirSync(new URL('../test/payloads/', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map(
    (name) => JSON.parse(readFileSync(new URL(`../test/payloads/${name}`, import.meta.url), 'utf8')).payload as unknown,
  )

function bodyOf({ kind, value }: Pick<Case, 'kind' | 'value'>): Buffer {
  if (kind === 'csv') return Buffer.from(String(value))
  if (kind === 'json') return Buffer.from(JSON.stringify(value) ?? '')
  const text = (one: unknown) => (typeof one === 'string' ? one.toWellFormed() : (JSON.stringify(one) ?? ''))
  return Buffer.from(
    Object.entries(entriesOf(value))
      .map(([key, one]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(text(one))}`)
      .join('&'),
  )
}

function csv(): string {
  const separator = pick([',', ';', '\t'])
  const end = pick(['\r', '\n', '\r\n'])
  const columns = pick([3, 20, 192, 200, 1000])
  const cell = pick([
    () => '',
    () => String(pick(words)),
    () => number(),
    () => `"${label()}""${end}x"`,
    () => String(scalar() ?? ''),
  ])
  const header = list(columns, (at) => pick([label, () => `Column ${at}`, () => pick(words)])()).join(separator)
  let text = header
  for (let rows = size(pick([50, 500, 5000])); rows > 0 && text.length < 2 * maxBytes; rows--) {
    text += end + list(columns, cell).join(separator)
  }
  return pick([
    text,
    text,
    text,
    `${text}${end.repeat(size(1_000_000))}`,
    separator.repeat(size(1_000_000)),
    `${text}${end}"${label()}`,
  ]).slice(0, 2 * maxBytes)
}

/**
 * Whether a value's JSON text stays below `maxBytes`, roughly. Stops early: `repeat` shares one value thousands of
 * times, and its text could fill the memory.
 */
function isSmall(value: unknown): boolean {
  let bytes = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    bytes += typeof one === 'string' ? one.length + 2 : 4
    if (typeof one === 'object' && one !== null) {
      for (const [key, inner] of Object.entries(one)) {
        bytes += key.length
        waiting.push(inner)
      }
    }
    if (bytes > maxBytes) return false
  }
  return true
}

/** JSON.stringify throws where a value is nested a few thousand levels deep. */
function unlessTooDeep<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The longest that anything ran between two turns of the event loop, in CPU time without garbage collection. */
const collected: { start: number; end: number }[] = []
const collector = new PerformanceObserver((entries) => keepCollections(entries.getEntries()))
collector.observe({ entryTypes: ['gc'] })
function keepCollections(entries: PerformanceEntry[]) {
  for (const { startTime, duration } of entries) collected.push({ start: startTime, end: startTime + duration })
}

async function longestStretch(run: () => Promise<unknown>): Promise<{ stretch: number; total: number }> {
  const stretches: { start: number; end: number; cpu: number }[] = []
  let running = true
  await setImmediate()
  const started = performance.now()
  const watch = (async () => {
    while (running) {
      const start = performance.now()
      const before = process.threadCpuUsage()
      await setTimeout(1)
      const { user, system } = process.threadCpuUsage(before)
      stretches.push({ start, end: performance.now(), cpu: (user + system) / 1000 })
    }
  })()
  await run()
  running = false
  await watch
  keepCollections(collector.takeRecords())
  const net = stretches.map(({ start, end, cpu }) => {
    const gc = collected.reduce((sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)), 0)
    return Math.min(cpu, end - start) - gc
  })
  collected.length = 0
  return { stretch: Math.max(0, ...net), total: performance.now() - started }
}

const mappings = [
  [],
  [{ path: 'phone', field: 'phone' as const }],
  list(100, (at) => ({
    path: `data.${pick(words)}[${at}]`,
    field: pick(['notes', 'tags', 'email', 'ignore'] as const),
  })),
]

const csvFile = join(mkdtempSync(join(tmpdir(), 'reading-fuzz-')), 'leads.csv')
process.on('exit', () => rmSync(dirname(csvFile), { recursive: true }))

async function read(one: Pick<Case, 'kind' | 'value'>, body: Buffer): Promise<void> {
  if (one.kind !== 'csv') {
    const content_type = one.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    await readPayload(
      { body, content_type, country: 'IN', mapping: pick(mappings), withValues: random() < 0.3 },
      'bench',
    )
    await findContacts(body, content_type, 'IN', 'bench')
    if (random() < 0.1) await showPayload({ body, content_type }, 'bench')
    return
  }
  try {
    writeFileSync(csvFile, body)
    const file = await openLeadFile(csvFile, 'bench')
    try {
      const columns = await file.recognise('IN', true)
      let batches = 0
      for await (const _ of file.read(columns, 'IN', new Date())) if (++batches > 10) break
    } finally {
      file.close()
    }
  } catch (error) {
    if (!(error as { status?: number }).status) throw error
  }
}

const kept: Case[] = []
const slowest: Case[] = []
const keep = (into: Case[], one: Case, by: 'stretch' | 'total', most: number) => {
  into.push(one)
  into.sort((a, b) => b[by] - a[by])
  into.length = Math.min(into.length, most)
}

console.log(`seed ${seed}, ${values.minutes} minutes`)
for (let round = 0; round < 300; round++)
  await readPayload(
    { body: bodyOf({ kind: 'json', value: pick(payloads) }), content_type: null, country: 'IN', mapping: [] },
    'bench',
  )
const until = performance.now() + Number(values.minutes) * 60_000
let tried = 0
while (performance.now() < until) {
  const parents = (random() < 0.7 ? kept : slowest).filter((one) => one.kind !== 'csv')
  const parent = random() < 0.5 && parents.length > 0 ? pick(parents) : undefined
  const kind = parent?.kind ?? (random() < 0.06 ? 'csv' : pick(['json', 'json', 'form'] as const))
  let how = parent?.how ?? 'payload'
  let value = kind === 'csv' ? csv() : (parent?.value ?? pick(payloads))
  if (kind !== 'csv') {
    for (let steps = 1 + below(3); steps > 0; steps--) {
      const [name, mutate] = pick(mutations)
      const mutated = unlessTooDeep(() => mutate(value))
      if (mutated === undefined || !isSmall(mutated)) continue
      value = mutated
      how = `${how}, ${name}`.slice(-160)
    }
  }
  const body = unlessTooDeep(() => bodyOf({ kind, value }))
  if (!body) continue
  if (kind !== 'csv' && body.length > maxBytes) continue
  const one = { kind, how, value, bytes: body.length, ...(await longestStretch(() => read({ kind, value }, body))) }
  // Measures again, because another process may have disturbed it.
  if (one.stretch > maxMs / 2) {
    const again = await longestStretch(() => read({ kind, value }, body))
    one.stretch = Math.min(one.stretch, again.stretch)
  }
  tried++
  keep(kept, one, 'stretch', 30)
  keep(slowest, one, 'total', 30)
}

const shown = ({ kind, how, bytes, stretch, total }: Case) =>
  `${stretch.toFixed(1).padStart(6)} ms of the event loop, ${total.toFixed(0).padStart(5)} ms in all, ${String(bytes).padStart(8)} bytes of ${kind}: ${how}`
console.log(`${tried} tried. The longest stretches:\n${kept.slice(0, 10).map(shown).join('\n')}`)
console.log(`The slowest to be read:\n${slowest.slice(0, 5).map(shown).join('\n')}`)
const longest = kept[0]?.stretch ?? 0
console.log(
  longest > maxMs ? `A stretch of ${longest.toFixed(1)} ms is over ${maxMs} ms.` : `No stretch over ${maxMs} ms.`,
)
stopIdleReaders()
process.exitCode = longest > maxMs ? 1 : 0
