import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Returns to the operating system what loading the code took, about 35 MB: V8 keeps it for as long as a service has little
 * to do. Takes a tenth of a second, so only once, before many requests come.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  void collectGarbage({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
