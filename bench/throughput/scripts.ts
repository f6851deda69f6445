import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Writes a script to a file that is deleted when the program ends, and returns its path. */
export function scriptFile(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, script)
  return path
}
