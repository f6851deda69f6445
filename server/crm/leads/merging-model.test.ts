import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { account, addPlayer, type Player } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { leadPriorities, leadStatuses } from './contract.ts'

/** A simple model of the rules of identity and merging, compared with the service. */

const app = await testApp()
after(app.close)

interface ModelLead {
  id?: string
  name: string
  phone?: string
  email?: string
  tags?: string[]
  /** The keys of contacts that a merge replaced: they stay with the lead. */
  others?: Set<string>
}

/** Tags that differ in upper and lower case only are one tag. */
const distinct = (tags: string[]) =>
  tags.filter((tag, at) => tags.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === at)

/** Returns the expected answer. Phones are compared by `digits`, emails in lower case. */
function expected(leads: ModelLead[], given: ModelLead): { status: number; lead: ModelLead } {
  const digits = (phone?: string) => phone?.replace(/\D/g, '').slice(-10)
  const lowerCase = (email?: string) => email?.toLowerCase()
  const [phone, email] = [digits(given.phone), lowerCase(given.email)]
  const byPhone = phone && leads.find((lead) => digits(lead.phone) === phone || lead.others!.has(phone))
  const byEmail = email && leads.find((lead) => lowerCase(lead.email) === email || lead.others!.has(email))
  const lead = byPhone || byEmail
  if (!lead) {
    const fresh = {
      source: 'API',
      status: 'New',
      priority: 'Medium',
      ...given,
      tags: distinct(given.tags ?? []),
      others: new Set<string>(),
    }
    leads.push(fresh)
    return { status: 201, lead: fresh }
  }
  const taken = byEmail && byEmail !== lead ? { ...given, email: lead.email } : given
  const before = [digits(lead.phone), lowerCase(lead.email)]
  const tags = distinct([...lead.tags!, ...(given.tags ?? [])])
  for (const [field, value] of Object.entries({ ...taken, tags }))
    if (value !== undefined) Object.assign(lead, { [field]: value })
  for (const key of before) if (key) lead.others!.add(key)
  for (const key of [digits(lead.phone), lowerCase(lead.email)]) if (key) lead.others!.delete(key)
  return { status: 200, lead }
}

const phone = fc
  .tuple(fc.constantFrom('98100', '+91 98100', '098100', '0091-98100'), fc.nat(4))
  .map(([front, last]) => `${front} 4432${last}`)
const email = fc.tuple(fc.constantFrom('p', 'P'), fc.nat(4)).map(([letter, last]) => `${letter}${last}@x.in`)
const text = fc.constantFrom('Pune', 'Goa', 'Agra')
const fields = fc.record(
  {
    company: text,
    city: text,
    source: text,
    notes: text,
    deal_value: fc.nat(3),
    status: fc.constantFrom(...leadStatuses),
    priority: fc.constantFrom(...leadPriorities),
    tags: fc.array(fc.constantFrom('Pune', 'pune', 'PUNE', 'Goa', 'Agra'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const contact = fc.oneof(fc.record({ phone }), fc.record({ email }), fc.record({ phone, email }))
const submissions = fc.array(
  fc.tuple(fc.record({ name: text }), contact, fields).map((parts) => Object.assign({}, ...parts) as ModelLead),
  { minLength: 5, maxLength: 25 },
)

let accounts = 0
async function newAdmin(): Promise<Player> {
  const actor = await account(app.database, `Account ${++accounts}`)
  return addPlayer(app.database, app.url, actor, 'Admin', 'Admin', null)
}

test('any submissions in any order give the answers and leads of the model', async () => {
  const property = fc.asyncProperty(submissions, async (given) => {
    const admin = await newAdmin()
    const leads: ModelLead[] = []
    for (const one of given) {
      const { status, lead } = expected(leads, structuredClone(one))
      const answer = await admin.send('POST', '/api/v1/leads', one)
      assert.equal(answer.status, status)
      lead.id ??= answer.body.data.id
      assert.deepEqual(known(answer.body.data), known(lead))
    }
    const { body } = await admin.send('GET', '/api/v1/leads?limit=500')
    const byId = (one: { id?: string }, other: { id?: string }) => one.id!.localeCompare(other.id!)
    assert.deepEqual(body.data.toSorted(byId).map(known), leads.toSorted(byId).map(known))
    await assertCountsHold(app.owner)
  })
  await fc.assert(property, { numRuns: 40, seed: 5 })
})

/** Without the fields that only the service knows, and with null for missing ones. */
function known(lead: object) {
  const empty = { phone: null, email: null, company: null, city: null, notes: null, deal_value: null }
  const { created_at, updated_at, assigned_to, others, ...rest } = { ...empty, ...lead } as Record<string, unknown>
  return rest
}
