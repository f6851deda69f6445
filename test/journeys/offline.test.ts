import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertWellMade, password, phone, press, signInBehind, startJourney } from '../journey.ts'
import { until } from '../until.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, owner } = journey

const ids: Record<string, string> = {}
before(async () => {
  for (const [place, name] of ['First Rao', 'Second Iyer', 'Third Khan'].entries()) {
    const lead = {
      name,
      phone: `98100 1000${place}`,
      assigned_to: bela.email,
    }
    ids[name] = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
    await owner`update leads set call_again_at = now() - interval '1 hour' where id = ${ids[name]!}`
  }
})

const texts = {
  'en-IN': {
    away: /^No connection to the server\./,
    asOf: / Shown as of /,
    busy: 'Busy',
    log: 'Log call',
    next: 'Next lead',
    sent: '1 call logged that waited for the connection',
    today: 'Today',
    unopened: 'This page was not opened here before',
    waits: '1 call waits for the connection',
  },
  'hi-IN': {
    away: /^सर्वर से कनेक्शन नहीं है।/,
    asOf: / दिखाई गई जानकारी /,
    busy: 'व्यस्त',
    log: 'कॉल दर्ज करें',
    next: 'अगली लीड',
    sent: 'कनेक्शन के इंतज़ार में रुकी 1 कॉल दर्ज हुई',
    today: 'आज',
    unopened: 'यह पेज इस डिवाइस पर पहले नहीं खोला गया',
    waits: '1 कॉल कनेक्शन के इंतज़ार में है',
  },
} as const

const keptFiles = (page: Page) =>
  page.evaluate<string[]>(`
    caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((caches) => caches.flat().map(({ url }) => new URL(url).pathname))
  `)

const callsOf = (name: string) => owner`select notes from call_logs where lead_id = ${ids[name]!}`

for (const [locale, text] of Object.entries(texts))
  test(`without a connection, the app opens again with the leads to call, and logs a call once: ${locale}`, async () => {
    const page = await journey.pageOf(bela, { locale, viewport: phone, serviceWorkers: 'allow' })
    const next = page.getByRole('region', { name: text.next })
    const promised = page
      .getByRole('main')
      .getByRole('link', { name: /Rao|Iyer|Khan/ })
      .first()
    await page.goto('/today')
    await promised.waitFor()
    await page.goto('/queue')
    await next.getByRole('heading', { level: 2 }).waitFor()
    for (const name of ['TodayPage', 'inter-rupee'])
      await until(async () => (await keptFiles(page)).some((file) => file.includes(name)), `${name} is kept`)

    await page.context().setOffline(true)
    await page.reload()
    const bar = page.getByText(text.away)
    await bar.filter({ hasText: text.asOf }).waitFor()
    const shown = await bar.innerText()
    // The page shows no lead or call of the user's profile, so its age does not count.
    await page.evaluate(
      `localStorage['answer ["me"]'] = localStorage['answer ["me"]'].replace(/^\\d+/, (at) => at - 7_200_000)`,
    )
    await page.reload()
    await bar.waitFor()
    await next.getByRole('heading', { level: 2 }).waitFor()
    assert.equal(await bar.innerText(), shown)
    const name = await next.getByRole('heading', { level: 2 }).innerText()
    const before = (await callsOf(name)).length
    await next.getByRole('button', { name: text.log }).click()
    await next.locator('textarea').fill(`Without a connection, ${locale}`)
    await next.getByRole('button', { name: text.busy }).click()
    await page.getByText(text.waits).waitFor()
    // The next lead is there, and the other pages: those with what was seen, and one that says why it has nothing.
    await next.getByRole('heading', { name, exact: true }).waitFor({ state: 'detached' })
    await page.goto('/today')
    await page.getByRole('heading', { name: text.today, level: 1 }).waitFor()
    await promised.waitFor()
    await assertWellMade(page)
    await page.goto('/reports')
    await page.getByText(text.unopened).waitFor()
    await assertWellMade(page)
    await page.goto(`/leads/${asha.id}`)
    await page.getByText(text.unopened).waitFor()
    const [above, heading] = await Promise.all(
      [bar, page.getByRole('heading', { level: 1 })].map((one) => one.boundingBox()),
    )
    assert.ok(above!.y + above!.height <= heading!.y, 'the bar covers the heading')
    assert.doesNotMatch(await bar.innerText(), text.asOf)
    assert.equal((await callsOf(name)).length, before)

    await page.context().setOffline(false)
    await page.goto('/queue')
    await page.getByText(text.sent).waitFor()
    assert.deepEqual(
      (await callsOf(name)).map(({ notes }) => notes).filter((note) => note.endsWith(locale)),
      [`Without a connection, ${locale}`],
    )
  })

test('what is kept is of one user, goes with the session, and of one version of the app', async () => {
  const page = await journey.pageOf(bela, { serviceWorkers: 'allow' })
  await page.goto('/queue')
  await page.getByRole('region', { name: 'Next lead' }).waitFor()
  const stored = () =>
    page.evaluate<string>("Object.entries(localStorage).filter(([key]) => key.startsWith('answer')).join()")
  // They are written together, after a while or when the page is left.
  await page.evaluate("dispatchEvent(new Event('pagehide'))")
  const first = await stored()
  assert.ok(first.includes(bela.id) && /Rao|Iyer|Khan/.test(first))
  // What a former version stored.
  await page.evaluate("caches.open('app /assets/index-old.js').then((cache) => cache.put('/', new Response('old')))")
  await page.evaluate("caches.open('offline-1')")
  await page.reload()
  const names = () => page.evaluate<string[]>('caches.keys()')
  await until(async () => /^app \/assets\/index-(?!old)[\w-]+\.js$/.test((await names()).join()), 'one version')
  await until(
    async () => (await keptFiles(page)).some((file) => /LeadPage/.test(file)),
    'the code of the pages is kept',
  )
  const files = await keptFiles(page)
  assert.ok(files.every((file) => file === '/' || file.startsWith('/assets/')))

  // A colleague signs in on the same phone, after the session ended without a sign-out.
  await page.context().clearCookies()
  await signInBehind(page.context(), journey.url, asha.email, password)
  await page.goto('/queue')
  await page.getByRole('heading', { name: 'Call next' }).waitFor()
  await until(async () => (await stored()).includes(asha.id), 'the answers are of the colleague')
  assert.doesNotMatch(await stored(), /Rao|Iyer|Khan/)
  await press(page.getByRole('button', { name: 'Profile, theme, sign out' }))
  await press(page.getByRole('menuitem', { name: 'Sign out' }))
  await page.getByLabel('Email').waitFor()
  assert.equal(await stored(), '')
  await page.context().setOffline(true)
  await page.goto('/queue')
  await page.getByText('No connection').first().waitFor()
  assert.doesNotMatch(await page.innerText('body'), /Rao|Iyer|Khan/)
})

test('no page logged an error', () => {
  const unexpected = journey.complaints.filter(
    (line) => !/Failed to fetch dynamically imported|[Pp]reload|No answer from the server/.test(line),
  )
  assert.deepEqual(unexpected, [])
})
