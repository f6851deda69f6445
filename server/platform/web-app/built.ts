import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The folder of the built web app: `index.html`, `assets/`, and the API reference in `docs/`. */
export const builtWebApp = join(root, 'dist/web')

/**
 * Builds the web app if its sources changed. In a separate process, because the build needs ten times the memory of the
 * service. A release contains the built web app and no sources. Throws at once if it cannot be built.
 */
export function buildWebAppIfNeeded(): Promise<void> {
  if (isCurrent()) return Promise.resolve()
  if (!existsSync(join(root, 'node_modules/vite'))) {
    if (existsSync(builtWebApp)) return Promise.resolve()
    throw new Error('The web app is not built. Run `npm ci` without --omit=dev, or copy dist/ from where it was built.')
  }
  // Without this, the builder fails with 40 lines that advise to remove the lock file.
  if (globSync(`node_modules/@rolldown/binding-${process.platform}-${process.arch}*`, { cwd: root }).length === 0) {
    throw new Error(
      'npm left out packages that build the web app: with Node 20.19, 22.12 or newer, run npm ci without --omit=optional.',
    )
  }
  return buildWebApp()
}

async function buildWebApp(): Promise<void> {
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
      'languages/*.po',
      'server/platform/languages/catalog.ts',
      'lingui.config.ts',
      'docs/webhooks/*.md',
      'server/intake/payload/senders/*/{guide.md,sender.json}',
      'server/*/*/contract.ts',
      'operations/*/contract.ts',
      'server/platform/web-app/build*.ts',
      'server/platform/web-app/reference.html',
      'vite.config.ts',
      'package-lock.json',
    ],
    { cwd: root },
  )
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
