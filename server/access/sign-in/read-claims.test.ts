import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../account/contract.ts'
import { readClaims, rejectIdToken } from './read-claims.ts'

const settings = (roleClaim: string | null) => ({
  roleClaim,
  roles: new Map<string, Role>([
    ['bosses', 'Admin'],
    ['sales', 'Agent'],
  ]),
})
const of = (claims: Record<string, unknown>, roleClaim: string | null = null, profile = claims) =>
  readClaims({ idToken: { sub: '1', ...claims }, profile }, settings(roleClaim))

for (const sub of [undefined, null, 7, '', 'x'.repeat(256), 'a\0', 'é', { toString: 'a' }, ['a']]) {
  test(`the subject ${JSON.stringify(sub)?.slice(0, 20)} is none`, () => assert.equal(of({ sub }), null))
}

for (const [email, read] of [
  ['Asha@Example.com', 'Asha@Example.com'],
  [' asha@example.com ', 'asha@example.com'],
  ['asha', null],
  ['आशा@example.com', null],
  ['asha@example.com\0', null],
  ['ash\u0131a@example.com', null],
  [['asha@example.com'], null],
  [undefined, null],
] as const) {
  test(`the email ${JSON.stringify(email)} is read as ${read}`, () => assert.equal(of({ email })?.email, read))
}

for (const [claims, isVerified] of [
  [{}, false],
  [{ email_verified: true }, true],
  [{ email_verified: 'true' }, true],
  [{ email_verified: false }, false],
  [{ email_verified: 'no' }, false],
  [{ email_verified: null }, false],
  [{ email_verified: ['true', 'x'] }, false],
  [{ email_verified: ['true'] }, false],
  [{ email_verified: {} }, false],
  [{ email_verified: { toString: 'true', valueOf: 1 } }, false],
  [{ xms_edov: true }, true],
  [{ xms_edov: '1' }, true],
  [{ xms_edov: false }, false],
  [{ email_verified: false, xms_edov: true }, false],
] as const) {
  test(`${JSON.stringify(claims)} says that the email is ${isVerified ? '' : 'not '}verified`, () =>
    assert.equal(of({ email: 'asha@example.com', ...claims })?.isVerified, isVerified))
}

test('the claim about an email is read where the email is', () => {
  const identity = of({ email_verified: true }, null, { email: 'asha@example.com', email_verified: false })
  assert.equal(identity?.isVerified, false)
})

for (const [claims, name] of [
  [{ name: ' Asha\n Rao ' }, 'Asha Rao'],
  [{ given_name: 'Asha', family_name: 'Rao' }, 'Asha Rao'],
  [{ given_name: 'Asha' }, 'Asha'],
  [{ preferred_username: 'asha.rao' }, 'asha.rao'],
  [{ name: '\u200b\u2800' }, 'a.rao'],
  [{ name: 7 }, 'a.rao'],
  [{ name: 'x'.repeat(300) }, 'x'.repeat(200)],
  [{ name: `${'x'.repeat(199)}😀` }, `${'x'.repeat(199)}\ufffd`],
  [{ name: 'क्‍ष' }, 'क्‍ष'],
] as const) {
  test(`${JSON.stringify(claims).slice(0, 60)} names the user`, () =>
    assert.equal(of({ email: 'a.rao@example.com', ...claims })?.name, name))
}

for (const [claim, claims, role] of [
  [null, { roles: ['bosses'] }, null],
  ['roles', {}, null],
  ['roles', { roles: 'sales' }, 'Agent'],
  ['roles', { roles: ['guests', 'sales', 'bosses'] }, 'Admin'],
  ['roles', { roles: ['Admin', 'Bosses', 'bosses '] }, null],
  ['roles', { roles: [null, 7, {}, ['bosses', 'x']] }, null],
  ['realm_access.roles', { realm_access: { roles: ['sales'] } }, 'Agent'],
  ['realm_access.roles', { realm_access: 'sales' }, null],
  ['roles', { roles: [{ toString: 'sales', valueOf: 1 }] }, null],
  ['https://example.com/roles', { 'https://example.com/roles': ['sales'] }, 'Agent'],
  ['constructor.name', {}, null],
  ['groups', { groups: ['/sales'] }, 'Agent'],
  ['groups', { groups: ['/guests', '/bosses'] }, 'Admin'],
  ['groups', { groups: ['/acme/sales', '//sales', 'sales/'] }, null],
  ['groups', { groups: '/sales' }, 'Agent'],
  ['roles', { roles: 'guests,sales' }, 'Agent'],
  ['roles', { roles: 'sales, bosses' }, 'Admin'],
  ['roles', { roles: 'guests;/sales' }, 'Agent'],
  ['roles', { roles: '["guests","sales"]' }, 'Agent'],
  ['roles', { roles: '[guests, sales]' }, 'Agent'],
  ['roles', { roles: 'presales,salesforce' }, null],
  [
    'urn:zitadel:iam:org:project:roles',
    { 'urn:zitadel:iam:org:project:roles': { sales: { 1: 'acme.example.com' } } },
    'Agent',
  ],
  ['roles', { roles: [{ guests: { 1: 'x' } }, { bosses: { 1: 'x' } }] }, 'Admin'],
  ['roles', { roles: { sales: true, bosses: false } }, 'Agent'],
  ['roles', { roles: { name: 'sales' } }, null],
] as const) {
  test(`the claim ${claim} of ${JSON.stringify(claims)} gives the role ${role}`, () =>
    assert.equal(of(claims, claim)?.role, role))
}

const now = Date.parse('2026-11-29T00:00:00Z')
for (const [claims, isRejected] of [
  [{ aud: 'ours' }, false],
  [{ aud: ['ours'] }, false],
  [{ aud: ['ours'], azp: 'other' }, false],
  [{ aud: ['ours', 'other'], azp: 'ours' }, false],
  [{ aud: ['ours', 'other'], azp: 'other' }, true],
  [{ aud: ['ours', 'other'], azp: ['ours'] }, true],
  [{ aud: ['ours', 'other'] }, true],
  [{ aud: 'ours', iat: now / 1000 + 299 }, false],
  [{ aud: 'ours', iat: now / 1000 + 301 }, true],
  [{ aud: 'ours', iat: now / 1000 - 86_400 }, false],
] as const) {
  test(`an ID token with ${JSON.stringify(claims)} is ${isRejected ? 'rejected' : 'taken'}`, () =>
    assert.equal(rejectIdToken(claims, 'ours', now) !== null, isRejected))
}
