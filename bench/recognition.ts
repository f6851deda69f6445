import { readdirSync, readFileSync } from 'node:fs'
import { mapPayload } from '../server/payload/map-payload.ts'

const payloads = ['payloads', 'more-payloads', 'later-payloads', 'further-payloads'].flatMap((corpus) => {
  const directory = new URL(`../test/${corpus}/`, import.meta.url)
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  return names.map(
    (name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')).payload as Record<string, unknown>,
  )
})

const read = (payload: Record<string, unknown>) => mapPayload(payload, { mapping: [], country: 'IN' })
const timed = (payload: Record<string, unknown>) => {
  const started = performance.now()
  read(payload)
  return performance.now() - started
}

const report = (title: string, times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(3)
  console.log(`${title}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`)
}

report(`${payloads.length} payloads, the first time in a new process`, payloads.map(timed))
for (let round = 0; round < 20; round++) payloads.forEach(read)
report('the same in a warm process', Array.from({ length: 20 }, () => payloads.map(timed)).flat())
