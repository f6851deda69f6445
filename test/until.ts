import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until it holds; fails after a minute, which is long enough on a busy machine. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'what is expected'): Promise<void> {
  for (let left = 3000; !(await holds()); left--) {
    if (left === 0) throw new Error(`${what} did not happen within a minute`)
    await sleep(20)
  }
}
