import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../..')

/** The folder of the built web app: `index.html`, `assets/`, and the API reference in `docs/`. */
export const builtWebApp = join(root, 'dist/web')

/**
 * Builds the web app if its sources changed. In a separate process, because the build needs ten times the memory of the
 * service.
 */
export async function buildWebAppIfNeeded(): Promise<void> {
  if (isCurrent()) return
  if (!existsSync(join(root, 'node_modules/vite'))) {
    if (existsSync(builtWebApp)) return
    throw new Error('The web app is not built. Run `npm ci` without --omit=dev, or copy dist/ from where it was built.')
  }
  console.error('Building the web app …')
  const builder = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'ignore', 'inherit'] })
  const status = await new Promise((resolve) => builder.once('exit', resolve).once('error', resolve))
  if (status !== 0) throw new Error('The web app could not be built: why stands above.')
}

const stampFile = join(builtWebApp, 'sources')

const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources()

function sources(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['web/**/*.*', 'server/*/contract.ts', 'server/web-app/build*.ts', 'vite.config.ts', 'package-lock.json'],
    { cwd: root },
  )
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

async function build() {
  const [{ build }, { buildReference }] = await Promise.all([import('vite'), import('./build-reference.ts')])
  const stamp = sources()
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist/web-'))
  // Readable like the checkout: another user may run the service.
  chmodSync(folder, 0o755)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: false, chunkSizeWarningLimit: 1000 },
  })
  await buildReference(join(folder, 'docs'))
  for (const file of globSync(['assets/*.{js,css}', 'docs/*.js'], { cwd: folder })) {
    const content = readFileSync(join(folder, file))
    // The best quality takes ten seconds for the largest file and saves a tenth.
    const params = { [constants.BROTLI_PARAM_QUALITY]: content.length > 1_000_000 ? 9 : 11 }
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content, { params }))
    writeFileSync(join(folder, `${file}.gz`), gzipSync(content))
  }
  writeFileSync(join(folder, 'sources'), stamp)
  // Another process built the same, and may be reading it.
  if (isCurrent()) return
  rmSync(builtWebApp, { recursive: true, force: true })
  try {
    renameSync(folder, builtWebApp)
  } catch (error) {
    // Another process built it in the meantime.
    if (!isCurrent()) throw error
  }
}

if (import.meta.main) {
  await build().catch((error: NodeJS.ErrnoException) => {
    const closed = ['EACCES', 'EROFS', 'EPERM'].includes(error.code ?? '')
    console.error(closed ? 'This user may not write dist/. Run `npm run build` as one who may.' : error.message)
    process.exitCode = 1
  })
}
