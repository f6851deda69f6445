import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, type Finding, fine } from './check.ts'
import { amount } from './disk-space.ts'
import type { Installation } from './installation.ts'

const kept = /^(postgres\.replaced-.*|before-upgrade-.*\.backup|set-aside-.*\.jsonl)$/

/** What `restore`, `upgrade` and `doctor --repair` kept beside the data. It may be the only way back, so nothing removes it by itself. */
export const formerData = ({ settings }: Installation): Check => ({
  name: 'former_data',
  async run() {
    const { dataDir } = settings.get()
    try {
      return look(dataDir)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EACCES') throw error
      return fine(`${dataDir} cannot be read by this user.`, 'Run doctor as the user of the service.')
    }
  },
})

function look(dataDir: string): Finding {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => kept.test(name)) : []
  const paths = names.sort().map((name) => join(dataDir, name))
  if (paths.length === 0) return fine('No former data is kept.')
  const sizes = paths.map((path) => `${path} (${amount(sizeOf(path))})`)
  return fine(
    `Kept from before a restore or an upgrade: ${sizes.join(', ')}.`,
    `When you no longer need to go back, remove it: rm -r ${paths.map((path) => `'${path}'`).join(' ')}`,
  )
}

function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
