// Shows push messages, and the app while there is no connection. It stores files of the app and nothing of the account.
const prefix = 'app '
const page = '/'
/** The app has about 150 files, of which a user opens some. */
const maxFiles = 200

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  // What former versions of this worker stored.
  event.waitUntil(Promise.all([removeCaches((name) => !name.startsWith(prefix)), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (request.mode === 'navigate') {
    if (!/^\/(api|auth|docs|web|webhook)(\/|$)/.test(pathname)) event.respondWith(loadPage(request))
  } else if (origin === location.origin && pathname.startsWith('/assets/')) event.respondWith(loadFile(request))
})

/** From the server whenever it answers, so that no one sees an old version. */
async function loadPage(request) {
  try {
    const answer = await fetch(request)
    return [502, 503, 504].includes(answer.status) ? ((await caches.match(page)) ?? answer) : answer
  } catch (error) {
    const kept = await caches.match(page)
    if (kept) return kept
    throw error
  }
}

/** Names of files have a hash of their content. */
const loadFile = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request)

self.addEventListener('message', (event) => {
  if (event.data?.version) event.waitUntil(keep(event.data))
})

/** Keeps the files that a page has loaded, which are in the browser's cache. Those of another version go when all of these are there. */
async function keep({ version, files }) {
  const name = prefix + version
  const cache = await caches.open(name)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = files.filter((file) => !kept.has(file)).slice(0, Math.max(0, maxFiles - kept.size))
  await Promise.all(missing.map((file) => cache.add(file)))
  if (!kept.has(new URL(page, location.origin).href)) {
    const answer = await fetch(page)
    const isSame = answer.ok && (await answer.clone().text()).includes(version)
    // A newer version, or one in another language: its own page will come.
    if (!isSame) return caches.delete(name)
    await cache.put(page, answer)
  }
  await removeCaches((other) => other !== name)
}

async function removeCaches(isOld) {
  const names = await caches.keys()
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)))
}

self.addEventListener('push', (event) => {
  const { title, body, path, tag, test } = event.data.json()
  // One that replaces another of its tag, such as the next missed call of a lead, is heard too.
  const options = { body, tag, renotify: true, icon: '/icon-192.png', badge: '/icon-192.png', data: path }
  const shown = self.registration.showNotification(title, options)
  event.waitUntil(test ? shown.finally(() => postToPages({ test })) : shown)
})

/** A page that sent a test waits for it. */
async function postToPages(message) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage(message)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data, location.origin)
  if (url.origin !== location.origin) return
  event.waitUntil(open(url.href))
})

/** Uses a page that is open already. */
async function open(url) {
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) return self.clients.openWindow(url)
  await page.focus()
  return page.navigate(url)
}
