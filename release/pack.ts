/** Builds the package that `npm install -g` installs, and prints its path. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWebAppIfNeeded } from '../server/platform/web-app/built.ts'
import { addDependencies, stage } from './stage.ts'

const dist = join(import.meta.dirname, '../dist')
mkdirSync(dist, { recursive: true })
const folder = mkdtempSync(join(dist, 'release-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

await buildWebAppIfNeeded()
stage(folder)
addDependencies(folder)
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', dist, '--loglevel=error'], {
  cwd: folder,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
console.log(join(dist, filename))
