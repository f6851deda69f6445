import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')

export const version: string = manifest.version

/** The commit that this program was built from; null if it is not known. A release has it in its package.json. */
export const gitHead: string | null = findCommit()

/** Its first 8 digits. */
export const commit = gitHead?.slice(0, 8) ?? null

/** The version with its commit, as Semantic Versioning writes a build: `0.3.0+33c1bbe2`. */
export const programVersion = commit ? `${version}+${commit}` : version

function findCommit(): string | null {
  if ('gitHead' in manifest) return String(manifest.gitHead)
  // Without this, git would answer for a repository that contains the folder.
  if (!existsSync(join(root, '.git'))) return null
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
