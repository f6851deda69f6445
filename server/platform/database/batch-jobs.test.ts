import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBatches } from './batch-jobs.ts'

test('a job that is asked for while it looks for work the last time looks once more', async (t) => {
  // The pauses of a job keep no process running.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  let looks = 0
  let work = 0
  const done: number[] = []
  const batch = async (): Promise<'more' | 'ended'> => {
    looks++
    const found = work
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (found === 0) return 'ended'
    work--
    done.push(looks)
    return 'more'
  }
  const first = runBatches('job', batch)
  // It has found nothing, and has not ended yet.
  work = 1
  await runBatches('job', batch)
  await first
  assert.deepEqual([done, looks], [[2], 3])
})
