import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './service.ts'

const copied = [
  ...['server', 'operations', 'web', 'languages', 'bin'],
  ...['package.json', 'package-lock.json', 'vite.config.ts', 'lingui.config.ts'],
]

/** Copies this program into a new folder, with further migrations as a later version has them. */
export function laterProgram(folder: string, migrations: Record<string, string> = {}): string {
  for (const part of copied) cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const part of ['node_modules', 'dist']) symlinkSync(join(root, part), join(folder, part))
  for (const [file, text] of Object.entries(migrations)) addMigration(folder, file, text)
  return folder
}

export const addMigration = (program: string, file: string, text: string) =>
  writeFileSync(join(program, 'server/platform/database/migrations', file), text)
