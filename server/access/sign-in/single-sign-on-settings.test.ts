import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleSignOn } from './single-sign-on-settings.ts'

const whole = { OIDC_ISSUER: 'https://id.example.com/', OIDC_CLIENT_ID: 'crm', OIDC_CLIENT_SECRET: 'secret-in-here' }
const read = (env: Record<string, string>) => singleSignOn((name) => env[name] ?? null)

test('without any variable, there is no single sign-on', () => assert.equal(read({}), null))

test('three variables are enough', () => {
  assert.deepEqual(read(whole), {
    issuer: 'https://id.example.com',
    clientId: 'crm',
    clientSecret: 'secret-in-here',
    name: null,
    account: null,
    roleClaim: null,
    roles: new Map([
      ['Admin', 'Admin'],
      ['Manager', 'Manager'],
      ['Agent', 'Agent'],
    ]),
    only: false,
  })
})

test('OIDC_ROLES maps values of the claim, which may contain equals signs and spaces', () => {
  const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'crm admins = Admin,cn=sales=Agent' }
  assert.deepEqual(
    read({ ...whole, ...roles })!.roles,
    new Map([
      ['crm admins', 'Admin'],
      ['cn=sales', 'Agent'],
    ]),
  )
})

for (const [env, problem] of [
  [{ OIDC_ISSUER: whole.OIDC_ISSUER }, 'Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too: OIDC_ISSUER is set.'],
  [{ OIDC_ONLY: 'true' }, 'Set OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too: OIDC_ONLY is set.'],
  [{ ...whole, OIDC_ISSUER: 'id.example.com' }, /^OIDC_ISSUER must be the provider's issuer, .* "id\.example\.com"\.$/],
  [{ ...whole, OIDC_ISSUER: 'http://id.example.com' }, /^OIDC_ISSUER must be .* starts with https/],
  [{ ...whole, OIDC_ISSUER: 'https://id.example.com/?x' }, /^OIDC_ISSUER/],
  [{ ...whole, OIDC_ISSUER: 'https://id.example.com/.well-known/openid-configuration' }, /^OIDC_ISSUER/],
  [{ ...whole, OIDC_NAME: 'x'.repeat(41) }, 'OIDC_NAME must be a name of at most 40 characters.'],
  [{ ...whole, OIDC_ROLES: 'a=Admin' }, 'Set OIDC_ROLE_CLAIM too: OIDC_ROLES is set.'],
  [
    { ...whole, OIDC_ROLE_CLAIM: 'roles', OIDC_ROLES: 'a=Owner' },
    /^OIDC_ROLES must be pairs such as .* Admin, Manager, Agent\.$/,
  ],
  [{ ...whole, OIDC_ROLE_CLAIM: 'roles', OIDC_ROLES: 'Admin' }, /^OIDC_ROLES/],
  [{ ...whole, OIDC_ROLE_CLAIM: 'roles', OIDC_ROLES: 'a=Admin,' }, /^OIDC_ROLES/],
  [{ ...whole, OIDC_ONLY: 'yes' }, 'OIDC_ONLY must be true or false, and is "yes".'],
] as [Record<string, string>, string | RegExp][]) {
  test(`${JSON.stringify(env)} is rejected in a sentence`, () => {
    assert.throws(
      () => read(env),
      ({ message }: Error) => {
        if (typeof problem === 'string') assert.equal(message, problem)
        else assert.match(message, problem)
        assert.doesNotMatch(message, /\n|secret-in-here/)
        return true
      },
    )
  })
}

test('several problems are named at once', () => {
  const { message } = (() => {
    try {
      return { message: JSON.stringify(read({ OIDC_ISSUER: 'x', OIDC_ONLY: '1', OIDC_ROLES: 'y' })) }
    } catch (error) {
      return error as Error
    }
  })()
  assert.deepEqual(
    message.split('\n').map((line) => line.split(' ').find((word) => word.startsWith('OIDC_'))),
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES', 'OIDC_ONLY'],
  )
})
