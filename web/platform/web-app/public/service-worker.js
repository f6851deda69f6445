// Shows push messages, and a page of its own while there is no connection. It stores nothing of the account.
const cacheName = 'offline-1'
const offline = '/offline.html'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(offline)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const removeOthers = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
  event.waitUntil(Promise.all([removeOthers, self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(() => caches.match(offline)))
})

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
