import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build as buildPages } from 'vite'
import { buildReference } from './build-reference.ts'
import { builtWebApp, isCurrent, sources } from './built.ts'

const root = join(import.meta.dirname, '../../..')

/** Builds the web app and the API reference into `dist/web`. */
async function build() {
  const stamp = sources()
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist/web-'))
  // Readable like the checkout: another user may run the service.
  chmodSync(folder, 0o755)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await buildPages({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: false, chunkSizeWarningLimit: 1000 },
  })
  await buildReference(join(folder, 'docs'))
  for (const file of globSync(['assets/**/*.{js,css}', 'docs/*.js'], { cwd: folder })) {
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

await build().catch((error: NodeJS.ErrnoException) => {
  const closed = ['EACCES', 'EROFS', 'EPERM'].includes(error.code ?? '')
  console.error(closed ? 'This user may not write dist/. Run `npm run build` as one who may.' : error.message)
  process.exitCode = 1
})
