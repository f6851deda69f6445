import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from './pages.ts'
import { quantilesOf } from './quantile.ts'

/** The time limit of a page, in milliseconds. */
const maxMs = 300
const rounds = Number(process.env.ROUNDS ?? 20)

/** Requests each page repeatedly, one after the other, and prints the times. */
export async function measurePages(url: string, cookie: string, role: string, pages: Page[]): Promise<void> {
  console.log(`\n${role}: ${pages.length} pages, ${rounds} times each\n   p50    p95    max ms`)
  const slow: string[] = []
  for (const page of pages) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeOf(url, cookie, page))
    const [p50, p95, max] = [0.5, 0.95, 1].map(quantilesOf(times))
    const isSlow = p95! > maxMs
    if (isSlow) slow.push(page.path)
    const columns = [p50, p95, max].map((time) => time!.toFixed(0).padStart(6)).join(' ')
    console.log(`${columns}  ${page.path}${isSlow ? '   ← SLOW' : ''}`)
  }
  console.log(
    slow.length === 0 ? `All within ${maxMs} ms.` : `${slow.length} above ${maxMs} ms at p95:\n  ${slow.join('\n  ')}`,
  )
}

/** Measures until the whole answer has arrived; for a streamed file, until its first byte. */
async function timeOf(url: string, cookie: string, { path, body }: Page): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}/web${path}`, {
    headers: { cookie, origin: url, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  if (path.includes('.csv')) {
    const reader = response.body!.getReader()
    await reader.read()
    const time = performance.now() - started
    await reader.cancel()
    // The server still reads the current piece of a cancelled file, which would slow the next request.
    await sleep(500)
    return time
  }
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return performance.now() - started
}
