import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const openUntilNoneIsLeft = `
  import { openSync } from 'node:fs'
  import { tryLock } from '${join(import.meta.dirname, 'lock.ts')}'
  tryLock(process.env.FILE, 'shared').release()
  try { for (;;) openSync('/dev/null') } catch {}
  try { tryLock(process.env.FILE, 'shared') } catch (error) { process.stdout.write(error.message) }`

test('a lock that cannot be opened because of the limit of files says to raise it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, FILE: join(folder, 'lock'), NODE: process.execPath, CODE: openUntilNoneIsLeft }
  const run = ['-c', 'ulimit -n 256 && exec "$NODE" --input-type=module -e "$CODE"']
  const said = execFileSync('sh', run, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  assert.match(said, /^This process may not open more files: raise its limit to 16384, with ulimit -n 16384/)
})
