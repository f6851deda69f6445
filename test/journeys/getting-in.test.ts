import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { asActor } from '../../server/platform/database/actor.ts'
import { assertWellMade, password, phone, startJourney, untilTrue } from '../journey.ts'
import { codeOf } from '../totp.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

test('a wrong password is rejected, the right one opens the requested page, and signing out closes it', async () => {
  const own = await journey.pageOf(journey.asha)
  await own.context().close()
  const page = await journey.page()
  await page.goto('/leads?status=Won')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await assertWellMade(page)

  await page.getByLabel('Email').fill(journey.asha.email)
  await page.getByLabel(/^Password/).fill('not the right one at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.match(await page.getByRole('alert').innerText(), /email or (the )?password is wrong/i)

  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel(/^Password/).press('Enter')
  await page.waitForURL('/leads?status=Won')

  const { cookies } = await page.context().storageState()
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    [{ httpOnly: true, sameSite: 'Lax' }],
  )

  await page.getByRole('button', { name: /Asha.*Profile/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/leads')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the language is chosen before signing in, and the requested page is kept', async () => {
  const page = await journey.page({ viewport: phone })
  await page.goto('/leads?status=Won')
  await page.getByLabel('Language').selectOption('हिन्दी')
  await page.getByRole('heading', { name: 'साइन इन करें' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi-IN')
  await assertWellMade(page)
  await page.getByLabel('भाषा').selectOption('English')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, journey.asha.email)
  await page.waitForURL('/leads?status=Won')
})

test('too many wrong passwords from one IP address are rejected, with the time to wait', async () => {
  const page = await journey.page()
  const guess = { data: { email: 'guess@example.com', password }, headers: { origin: journey.url } }
  await Promise.all(Array.from({ length: 10 }, () => page.request.post('/auth/sign-in/email', guess)))
  await page.goto('/sign-in')
  await signIn(page, guess.data.email)
  const notice = await page.getByRole('alert').innerText()
  assert.match(notice, /^Too many attempts came from this IP address\. Try again in \d+ s\.$/)
})

test('signing in never redirects to another site', async () => {
  const page = await journey.page()
  await page.goto('/sign-in?next=//evil.example')
  await signIn(page, journey.asha.email)
  await page.waitForURL('/')
})

test('Back does not return to the sign-in page, which sends on a user who is signed in', async () => {
  const page = await journey.page()
  await page.goto('/forgotten')
  await page.goto('/sign-in?next=/calls')
  await signIn(page, journey.asha.email)
  await page.waitForURL('/calls')
  await page.goBack()
  await page.waitForURL('/forgotten')
  await page.goto('/sign-in?next=/calls')
  await page.waitForURL('/calls')
})

test('an invitation lets a user set a password, once', async () => {
  const asha = await journey.pageOf(journey.asha)
  const invited = await asha.request.post('/web/users', {
    data: { email: 'dev@acme.example.com', name: 'Dev Patel', role: 'Agent' },
    headers: { origin: journey.url },
  })
  const { link } = (await invited.json()).data
  const page = await journey.page({ viewport: phone })
  await page.goto(link)
  await page.getByText('Dev Patel, you are invited to Acme').waitFor()
  await assertWellMade(page)
  await page.getByLabel('New password').fill('dev patel acme')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('The password is made of your own email, name or account.').waitFor()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL('/queue')
  await page.getByRole('link', { name: 'Leads', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)

  const again = await journey.page()
  await again.goto(link)
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('without a mail server the page for a forgotten password refers to an Admin', async () => {
  const page = await journey.page()
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByText('Ask an Admin of your account').waitFor()
  assert.equal(await page.getByText('npx').count(), 0)
  await assertWellMade(page)
})

test('a user changes name, email and password, and ends other sessions', async () => {
  const elsewhere = await journey.pageOf(journey.chand)
  const page = await journey.pageOf(journey.chand)
  await page.goto('/profile')
  await page.getByLabel('Name').fill('Chand Verma')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Name saved').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Chand')
  await page.getByLabel('Name').fill('  ')
  await page.getByLabel('Name').press('Enter')
  await page.getByText('Enter your name.').waitFor()

  await page.getByText('This device', { exact: true }).waitFor()
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Linux' }).count(), 2)
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await page.getByText('Session ended').waitFor()
  assert.equal(await focused(page), 'Sessions')
  assert.equal((await elsewhere.request.get('/web/me')).status(), 401)

  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your email' })
  await dialog.getByLabel('New email').fill('chand.verma@acme.example.com')
  await dialog.getByLabel('Your password').fill('not this one, surely')
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await dialog.getByText('The password is wrong.').waitFor()
  await assertWellMade(page)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('You sign in with chand.verma@acme.example.com.').waitFor()

  await page.getByLabel('Current password').fill('not this one, surely')
  await page.getByLabel('New password').fill('another thousand miles')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('password is wrong').waitFor()
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  await assertWellMade(page)
})

test('two-factor is switched on with a code, required at the next sign-in, and a backup code works once', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = await page.getByRole('dialog').locator('pre').innerText()
  await assertWellMade(page)
  // As the apps show it, in the field that has the focus already.
  await page.keyboard.type(codeOf(`otpauth://totp/it?secret=${secret}`).replace(/^.../, '$& '))
  await page.keyboard.press('Enter')
  await page.getByText('Save these codes').waitFor()
  assert.match(await focused(page), /^Save these codes/)
  const [backup] = (await page.getByRole('dialog').locator('pre').innerText()).split('\n')
  await page.getByRole('button', { name: 'I saved them' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await untilTrue(page, "document.activeElement.textContent === 'Turn off'")

  for (const [step, outcome] of ['let in', 'rejected'].entries()) {
    const again = await journey.page()
    await again.goto('/sign-in?next=/leads')
    await signIn(again, journey.bela.email)
    await again.getByRole('heading', { name: 'Two-factor code' }).waitFor()
    if (step === 0) await assertWellMade(again)
    assert.equal((await again.request.get('/web/me')).status(), 401)
    await again.getByRole('button', { name: 'Use a backup code instead' }).click()
    await again.getByLabel('Backup code').fill(backup!.replace('-', ' '))
    await again.getByRole('button', { name: 'Sign in' }).click()
    if (outcome === 'let in') await again.waitForURL('/leads')
    else await again.getByRole('alert').waitFor()
  }
  const [{ count }] = (await asActor(
    journey.database,
    journey.acme,
    (tx) => tx<[{ count: number }]>`
      select count(*)::int as count from audit_log
      where account_id = ${journey.acme.account_id} and action = 'user.two_factor_enabled'`,
  )) as [{ count: number }]
  assert.equal(count, 1)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))

async function signIn(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The name of the focused element. */
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
