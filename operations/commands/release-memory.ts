import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how many percent the heap may grow before garbage is looked for in all of it. V8 would let it grow to six times what is in use. */
const growth = 150

/**
 * Returns to the operating system what loading the code took, about 35 MB: V8 keeps it for as long as a service has little
 * to do. Takes a tenth of a second, so only once, before many requests come. Under load the process stays smaller, too.
 */
export function releaseMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`)
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  void collectGarbage({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
