import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linkUrl, makePasswordLink } from '../../server/access/sign-in/password-links.ts'
import { changeAsActor } from '../../server/platform/database/actor.ts'
import { freePort } from '../app.ts'
import { assertWellMade, comeBack, password, phone, startJourney } from '../journey.ts'
import { oidcServer } from '../oidc-server.ts'
import { codeOf } from '../totp.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let oidc: Awaited<ReturnType<typeof oidcServer>>
before(async () => {
  const [port, oidcPort] = [await freePort(), await freePort()]
  oidc = await oidcServer({ port: oidcPort, baseUrl: `http://127.0.0.1:${port}` })
  journey = await startJourney({
    PORT: String(port),
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_NAME: 'Acme ID',
    OIDC_ACCOUNT: 'Acme',
  })
})
after(async () => {
  await journey.close()
  await oidc.close()
})

test('a user signs in with the provider, and comes to the page they asked for', async () => {
  const { bela } = journey
  const page = await journey.page({ viewport: phone })
  await page.goto('/leads?status=Won')
  const button = page.getByRole('link', { name: 'Sign in with Acme ID' })
  await button.waitFor()
  await assertWellMade(page)

  oidc.person = null
  await button.click()
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await page.getByRole('alert').innerText(), /^The sign-in at Acme ID was cancelled\.$/)
  await assertWellMade(page)

  oidc.person = { sub: 'bela', email: bela.email, email_verified: true }
  await button.click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('/leads?status=Won')
  await page.goto('/profile')
  await page.getByText('You sign in by single sign-on and have no password.').waitFor()
  await assertWellMade(page)
})

test('a person who was not invited reads what to do, in their language', async () => {
  oidc.person = { sub: 'nobody', email: 'nobody@example.com', email_verified: true }
  const page = await journey.page({ locale: 'hi-IN' })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Acme ID से साइन इन करें' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await page.getByRole('alert').innerText(), /^आप अभी Lead Engine के यूज़र नहीं हैं। .*Acme ID/)
  await assertWellMade(page)
  assert.equal(await page.getByLabel('ईमेल').count(), 1)
})

test('an invited user joins with the provider instead of a password', async () => {
  const { acme, chand, url } = journey
  const { token } = await changeAsActor(journey.database, acme, (tx) =>
    makePasswordLink(tx, acme, chand.id, 'invitation'),
  )
  oidc.person = { sub: 'chand', email: chand.email, email_verified: true }
  const page = await journey.page()
  await page.goto(linkUrl(url, token))
  await page.getByLabel('New password').waitFor()
  await assertWellMade(page)
  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Call next' }).waitFor()
})

test('a user with two-factor enters the code after the provider', async () => {
  const { meena } = journey
  const page = await journey.pageOf(meena)
  const headers = { origin: journey.url }
  const enabled = await page.request.post('/auth/two-factor/enable', { data: { password }, headers })
  const { totpURI } = await enabled.json()
  await page.request.post('/auth/two-factor/verify-totp', { data: { code: codeOf(totpURI) }, headers })
  oidc.person = { sub: 'meena', email: meena.email, email_verified: true }

  const other = await journey.page()
  await other.goto('/sign-in?next=/calls')
  await other.getByRole('link', { name: 'Sign in with Acme ID' }).click()
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByLabel('Code from your app').fill(codeOf(totpURI, Date.now() + 30_000))
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.waitForURL('/calls')
})

test('an Admin ends a link, and goes on after a sign-in in another tab when the session ended', async () => {
  const { asha, bela, owner } = journey
  const page = await journey.pageOf(asha)
  await page.goto('/settings/team')
  await page.getByRole('button', { name: 'Actions for Bela' }).click()
  await page.getByRole('menuitem', { name: 'Unlink single sign-on' }).click()
  await page.getByRole('button', { name: 'Unlink', exact: true }).click()
  await page.getByText('Bela is unlinked').waitFor()
  assert.deepEqual([...(await owner`select from credentials where user_id = ${bela.id} and provider = 'oidc'`)], [])

  await owner`delete from sessions where user_id = ${asha.id}`
  await page.getByRole('link', { name: 'Calls' }).click()
  const button = page.getByRole('link', { name: 'Sign in with Acme ID' })
  await button.waitFor()
  await assertWellMade(page)
  oidc.person = { sub: 'asha', email: asha.email, email_verified: true }
  const opening = page.waitForEvent('popup')
  await button.click()
  const tab = await opening
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  await comeBack(page)
  await button.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
})

test('no page has an error', () => assert.deepEqual(journey.complaints, []))
