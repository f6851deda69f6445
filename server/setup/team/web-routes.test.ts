import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { owner, url } = app
const { asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent] = await Promise.all([asha, meena, bela].map((one) => signedIn(app, one)))

const directory = async () =>
  JSON.stringify(
    await owner`select to_jsonb(u) as row from users u union all select to_jsonb(a) from accounts a
      union all select to_jsonb(l) from password_links l order by row`,
  )

test('every user has a profile, and changes only their own name', async () => {
  const { body } = await agent!.send('GET', '/web/me')
  const { id, email, role, team, account, address } = body.data
  assert.deepEqual(
    [id, email, role, team, account.name, address],
    [bela.id, bela.email, 'Agent', 'north', 'Acme', '127.0.0.1'],
  )
  const changed = await agent!.send('PATCH', '/web/me', { name: 'Bela Bose', role: 'Admin' })
  assert.deepEqual([changed.status, changed.body.data.name, changed.body.data.role], [200, 'Bela Bose', 'Agent'])
  assert.deepEqual(
    [...(await owner`select name, role from users where id = ${bela.id}`)],
    [{ name: 'Bela Bose', role: 'Agent' }],
  )
  const blank = await agent!.send('PATCH', '/web/me', { name: '  ' })
  assert.deepEqual([blank.status, blank.body.error.field], [400, 'name'])
})

test('every user chooses the own language among those that there are', async () => {
  const language = async () => (await agent!.send('GET', '/web/me')).body.data.language
  assert.equal(await language(), null)
  assert.equal((await agent!.send('PUT', '/web/me/language', { language: 'hi' })).body.data.language, 'hi')
  const unknown = await agent!.send('PUT', '/web/me/language', { language: 'xx' })
  assert.deepEqual([unknown.status, unknown.body.error.field], [400, 'language'])
  assert.equal(await language(), 'hi')
  assert.equal((await admin!.send('GET', '/web/me')).body.data.language, null)
})

test('every user sees the account, Admins change it, and the change applies at once', async () => {
  const { body } = await agent!.send('GET', '/web/account')
  assert.deepEqual([body.data.name, body.data.default_country, body.data.delivery_retention_days], ['Acme', 'IN', 30])
  const changed = await admin!.send('PATCH', '/web/account', { default_country: 'SG' })
  assert.deepEqual([changed.status, changed.body.data.default_country, changed.body.data.name], [200, 'SG', 'Acme'])
  await asha.send('POST', '/api/v1/leads', { name: 'From Singapore', phone: '9123 4567' })
  assert.equal((await owner`select phone_key from leads`)[0]!.phone_key, '+6591234567')
  await admin!.send('PATCH', '/web/account', { default_country: 'IN' })
  for (const [change, field] of [
    [{ default_country: 'XX' }, 'default_country'],
    [{ name: 'other' }, 'name'],
    // Another Admin changed it since the form was opened.
    [{ name: 'Acme Homes', was: { name: 'Acme Estates' } }, 'name'],
  ] as const) {
    const before = await directory()
    const refused = await admin!.send('PATCH', '/web/account', change)
    assert.deepEqual([refused.status, refused.body.error.field], [400, field])
    assert.equal(await directory(), before)
  }
})

test('Admins list all users with roles; others list the users whose leads they see, without roles', async () => {
  const all = (await admin!.send('GET', '/web/users')).body.data
  assert.deepEqual(all.map(({ id }: { id: string }) => id).sort(), [asha.id, meena.id, bela.id, chand.id].sort())
  const listed = all.find(({ id }: { id: string }) => id === meena.id)
  assert.deepEqual([listed.role, listed.team, listed.active, listed.has_password], ['Manager', 'north', true, true])
  assert.match(listed.last_sign_in_at, /Z$/)
  const team = (await manager!.send('GET', '/web/users')).body.data
  assert.deepEqual(team.map(({ id }: { id: string }) => id).sort(), [meena.id, bela.id].sort())
  assert.deepEqual(Object.keys(team[0]).sort(), ['active', 'email', 'id', 'name'])
  assert.equal((await agent!.send('GET', '/web/users')).body.data.length, 1)
})

test('an invited user sets a password with the link, once, and signs in', async () => {
  const invited = await admin!.send('POST', '/web/users', {
    email: 'New@x.example',
    name: 'New',
    role: 'Agent',
    team: '',
  })
  assert.equal(invited.status, 201, JSON.stringify(invited.body))
  const { user_id, link, expires_at } = invited.body.data
  assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 7 * 86_400_000) < 60_000)
  const token = link.replace(`${url}/join/`, '')
  assert.equal(JSON.stringify(await owner`select * from password_links`).includes(token), false)
  const post = (path: string, body: object, origin = url) => ask(url, null, 'POST', path, body, { origin })
  const looked = (await post('/web-public/link', { token })).body.data
  assert.deepEqual([looked.kind, looked.name, looked.account], ['invitation', 'New', 'Acme'])

  const password = '  spaces at both ends  '
  for (const [body, origin, status, field] of [
    [{ token, password }, 'https://elsewhere.example', 403, undefined],
    [{ token, password: 'too short' }, url, 400, 'password'],
    [{ token: `${token}x`, password }, url, 404, 'token'],
    [{ password }, url, 400, 'token'],
  ] as const) {
    const refused = await post('/web-public/join', body, origin)
    assert.deepEqual([refused.status, refused.body.error.field], [status, field])
    assert.equal((await owner`select 1 from credentials where user_id = ${user_id}`).length, 0)
  }
  const both = await Promise.all([1, 2].map(() => post('/web-public/join', { token, password })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404])
  assert.equal((await post('/web-public/link', { token })).status, 404)
  const signIn = await ask(
    url,
    null,
    'POST',
    '/auth/sign-in/email',
    { email: 'new@x.example', password },
    { origin: url },
  )
  assert.equal(signIn.status, 200)
  assert.deepEqual(
    (await auditOf(owner, user_id)).map(({ action }) => action),
    ['user.created', 'user.invited', 'user.password_set'],
  )
})

test('a link expires, a newer one replaces it, and a reset ends all sessions', async () => {
  const link = async () => {
    const { body } = await admin!.send('POST', `/web/users/${chand.id}/password-link`)
    return body.data.link.replace(`${url}/join/`, '') as string
  }
  const join = (token: string) =>
    ask(url, null, 'POST', '/web-public/join', { token, password: 'a long password' }, { origin: url })
  const browser = await signedIn(app, chand)
  const first = await link()
  const second = await link()
  assert.equal((await join(first)).status, 404)
  await owner`update password_links set expires_at = now() - interval '1 second' where user_id = ${chand.id}`
  assert.equal((await join(second)).status, 404)
  assert.equal((await browser.send('GET', '/web/me')).status, 200)
  const third = await link()
  const [{ kind, hours }] = (await owner`select kind, extract(epoch from expires_at - created_at) / 3600 as hours
    from password_links where user_id = ${chand.id}`) as unknown as [{ kind: string; hours: string }]
  assert.deepEqual([kind, Number(hours)], ['reset', 24])
  assert.equal((await join(third)).status, 200)
  assert.equal((await browser.send('GET', '/web/me')).status, 401)
})

test('an email of a user of any account is rejected', async () => {
  const before = await directory()
  const refused = await admin!.send('POST', '/web/users', {
    email: zoya.email.toUpperCase(),
    name: 'Z',
    role: 'Agent',
  })
  assert.deepEqual([refused.status, refused.body.error.field], [400, 'email'])
  assert.equal(await directory(), before)
})

test('inviting a deactivated user says so, only in their own account', async () => {
  assert.equal((await admin!.send('POST', `/web/users/${chand.id}/deactivation`, {})).status, 200)
  const before = await directory()
  const invite = (email: string) => admin!.send('POST', '/web/users', { email, name: 'Chand', role: 'Agent' })
  const again = await invite(` ${chand.email.toUpperCase()} `)
  const message = `Chand has the email ${chand.email} and is deactivated. Activate them instead.`
  assert.deepEqual([again.status, again.body.error], [400, { code: 'INVALID_PARAM', message, field: 'email' }])
  await owner`update users set deactivated_at = now() where id = ${zoya.id}`
  assert.match((await invite(zoya.email)).body.error.message, /^Another user already has the email/)
  await owner`update users set deactivated_at = null where id = ${zoya.id}`
  assert.equal(await directory(), before)
  assert.equal((await admin!.send('DELETE', `/web/users/${chand.id}/deactivation`)).status, 200)
})

test('a changed role applies to the next request', async () => {
  assert.equal((await agent!.send('PATCH', '/web/account', { name: 'Acme' })).status, 403)
  await admin!.send('PATCH', `/web/users/${bela.id}`, { role: 'Manager' })
  assert.equal((await agent!.send('GET', '/web/users')).body.data.length, 2)
  const back = await admin!.send('PATCH', `/web/users/${bela.id}`, { role: 'Agent', team: null })
  assert.equal(back.status, 200)
  assert.deepEqual(
    [...(await owner`select role, team from users where id = ${bela.id}`)],
    [{ role: 'Agent', team: null }],
  )
  await admin!.send('PATCH', `/web/users/${bela.id}`, { team: 'north' })
})

test('the last active Admin keeps the role and stays active, also if two Admins change at the same time', async () => {
  for (const [method, path, body] of [
    ['PATCH', `/web/users/${asha.id}`, { role: 'Agent' }],
    ['POST', `/web/users/${asha.id}/deactivation`, {}],
  ] as const) {
    const before = await directory()
    assert.equal((await admin!.send(method, path, body)).status, 400)
    assert.equal(await directory(), before)
  }
  await admin!.send('PATCH', `/web/users/${meena.id}`, { role: 'Admin' })
  const both = await Promise.all([
    admin!.send('PATCH', `/web/users/${asha.id}`, { role: 'Manager' }),
    manager!.send('PATCH', `/web/users/${meena.id}`, { role: 'Manager' }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  const admins = await owner`select id from users where role = 'Admin' and account_id = ${asha.actor.account_id}`
  assert.equal(admins.length, 1)
  await owner`update users set role = case when id = ${asha.id} then 'Admin' else 'Manager' end
    where id in (${asha.id}, ${meena.id})`
  app.database.cache.invalidate(null)
})

test('attempts to use links are limited by IP', async () => {
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => ask(url, null, 'POST', '/web-public/link', { token: 'guess' }, { origin: url })),
  )
  const slowed = answers.filter(({ status }) => status === 429)
  assert.ok(slowed.length >= 5)
  assert.match(slowed[0]!.headers.get('retry-after')!, /^\d+$/)
})
