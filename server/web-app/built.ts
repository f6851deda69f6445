import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The folder of the built web app: `index.html`, `assets/`, and the API reference in `docs/`. */
export const builtWebApp = join(root, 'dist/web')

/**
 * Builds the web app if its sources changed. In a separate process, because the build needs ten times the memory of the
 * service. A release contains the built web app and no sources.
 */
export async function buildWebAppIfNeeded(): Promise<void> {
  if (isCurrent()) return
  if (!existsSync(join(root, 'node_modules/vite'))) {
    if (existsSync(builtWebApp)) return
    throw new Error('The web app is not built. Run `npm ci` without --omit=dev, or copy dist/ from where it was built.')
  }
  console.error('Building the web app …')
  const program = join(import.meta.dirname, 'build.ts')
  const builder = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] })
  const status = await new Promise((resolve) => builder.once('exit', resolve).once('error', resolve))
  if (status !== 0) throw new Error('The web app could not be built: why stands above.')
}

const stampFile = join(builtWebApp, 'sources')

export const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources()

export function sources(): string {
  const hash = createHash('sha256')
  const files = globSync(
    [
      'web/**/*.*',
      'docs/webhooks/*.md',
      'server/payload/senders/*/{guide.md,sender.json}',
      'server/*/contract.ts',
      'server/web-app/build*.ts',
      'vite.config.ts',
      'package-lock.json',
    ],
    { cwd: root },
  )
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
