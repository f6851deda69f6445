import { isConnected } from '../api/connection.ts'

/** In milliseconds, after the page has loaded: what the user waits for comes first. */
const pause = 3000
let isPlanned = false

const loaded = new Promise((resolve) => {
  if (document.readyState === 'complete') resolve(null)
  else addEventListener('load', resolve, { once: true })
})

/** Starts the service worker, which keeps the files of the app for when there is no connection: at first those of this page. */
export async function startWorker(): Promise<void> {
  // Browsers have none without HTTPS.
  await navigator.serviceWorker?.register('/service-worker.js')
  await loaded
  await keepFiles()
}

/** Lets it also keep the code that `loadCode` loads, once for each load of the page. */
export async function keepCodeSoon(loadCode: () => Promise<unknown>): Promise<void> {
  if (isPlanned) return
  isPlanned = true
  // Without a worker, nothing is kept.
  await Promise.all([loaded, navigator.serviceWorker?.ready ?? new Promise(() => {})])
  await new Promise((resolve) => setTimeout(resolve, pause))
  // The file with the sign of the currency is loaded by the first page that has one.
  await Promise.all([loadCode(), document.fonts.load("1em 'Inter Variable'", '₹')])
  await keepFiles()
}

async function keepFiles() {
  const first = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  // While developing, files have no versions.
  if (!first || !import.meta.env.PROD || !isConnected()) return
  const worker = (await navigator.serviceWorker?.ready)?.active
  const urls = performance.getEntriesByType('resource').map(({ name }) => name)
  const files = new Set(urls.filter((url) => url.startsWith(`${location.origin}/assets/`)))
  worker?.postMessage({ version: new URL(first.src).pathname, files: [...files] })
}
