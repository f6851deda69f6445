import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  await journey.bela.send('POST', '/api/v1/leads', { name: 'Meera Iyer', phone: '9820011223', deal_value: 125000 })
})
after(() => journey.close())

const inHindi = { locale: 'hi-IN' }

test('a browser in Hindi gets the sign-in in Hindi, and English by a choice that lasts', async () => {
  const page = await journey.page(inHindi)
  await page.goto('/sign-in')
  await page.getByRole('heading', { level: 1, name: 'साइन इन करें' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'hi-IN')
  await assertWellMade(page)
  await page.getByLabel(/भाषा/).selectOption('English')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('a user chooses Hindi, and has it in every browser, with error messages', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto('/profile')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/hi-/, (route) => held.then(() => route.continue()))
  const asked = page.waitForRequest(/\/assets\/hi-.*\.js$/)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('हिन्दी')
  // The page stays until the next one can be shown.
  await asked
  await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor()
  release()
  await page.getByRole('heading', { level: 1, name: 'आपकी प्रोफ़ाइल' }).waitFor()

  const other = await journey.pageOf(journey.bela)
  await other.goto('/leads?add=true')
  const form = other.getByRole('dialog', { name: 'लीड जोड़ें' })
  await form.getByLabel('नाम').fill('Sunita Devi')
  await form.getByLabel('ईमेल').fill('no email')
  await press(form.getByRole('button', { name: 'लीड जोड़ें' }))
  await form
    .getByText(/^यह .*ईमेल/)
    .first()
    .waitFor()
  // Another user keeps English.
  const asha = await journey.pageOf(journey.asha)
  await asha.goto('/profile')
  await asha.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor()
})

test('pages in Hindi fit a phone and are accessible', async () => {
  const page = await journey.pageOf(journey.asha, { ...inHindi, viewport: phone })
  const titles = {
    '/overview': 'सारांश',
    '/queue': 'अब कॉल करें',
    '/today': 'आज',
    '/leads': 'लीड',
    '/calls': 'कॉल',
    '/settings/distribution': 'लीड का बँटवारा',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path)
    await page
      .getByRole('heading', { level: 1, name: title })
      .or(page.getByRole('main').getByText('लीड').first())
      .first()
      .waitFor()
    await page.getByRole('main').locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await assertWellMade(page)
  }
  assert.deepEqual(journey.complaints, [])
})
