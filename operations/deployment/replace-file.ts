import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file in one step: a kill or a lost disk cache leaves the former content or the new one. */
export function replaceFile(path: string, text: string, mode: number): void {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, text, { mode, flush: true })
  renameSync(unfinished, path)
}
