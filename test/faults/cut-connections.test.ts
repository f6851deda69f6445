import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isThorough } from '../budget.ts'
import { testDatabase } from '../database.ts'
import { type Answer, account, addPlayer, ask } from '../people.ts'
import { type Cut, serveBehindWire } from '../proxy.ts'
import { assertCountsHold } from '../records.ts'
import { webhookOf } from '../webhooks.ts'

/** At every statement; otherwise only at commits. */
const everywhere = isThorough

const store = await testDatabase()
const { owner } = store
const { wire, served, database } = await serveBehindWire({ after: (work) => after(work) }, store.signIns)
const acme = await account(database, randomUUID())
const asha = await addPlayer(database, served.url, acme, 'Asha', 'Admin', null)
const webhook = await webhookOf(served, acme)
after(() => assertCountsHold(owner))
after(store.close)

/** One person: what is sent, and what must be in the database afterwards. */
const person = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com`, message: `Call ${randomUUID()}` })
type Person = ReturnType<typeof person>

async function storedOf({ email, message }: Person) {
  const [row] = await owner`
    select (select count(*)::int from leads where email = ${email}) as leads,
      (select string_agg(notes, '|') from leads where email = ${email}) as notes,
      (select count(*)::int from timeline_entries entry join leads on leads.account_id = entry.account_id and leads.id = lead_id
        where email = ${email}) as entries,
      (select count(*)::int from deliveries where position(${email}::bytea in body) > 0) as deliveries`
  const { leads, notes, entries, deliveries } = row!
  return { leads, messages: (notes ?? '').split(message).length - 1, entries, deliveries }
}

async function createdBefore() {
  const known = person()
  const { status } = await asha.send('POST', '/api/v1/leads', { name: known.name, email: known.email })
  assert.equal(status, 201)
  return known
}

interface Kind {
  prepare?: () => Promise<Person>
  send(one: Person): Promise<Answer>
  expected: { status: number; outcome?: string; leads: number; messages: number; entries: number; deliveries: number }
}

const withKey = (path: string, body: (one: Person) => object) => async (one: Person) => {
  const headers = { 'idempotency-key': one.email }
  const answer = await asha.send('POST', path, body(one), headers)
  if (answer.status !== 503) return answer
  await back()
  return asha.send('POST', path, body(one), headers)
}

const kinds: Record<string, Kind> = {
  'a delivery that creates': {
    send: (one) => webhook.send(one),
    expected: { status: 200, outcome: 'created', leads: 1, messages: 1, entries: 1, deliveries: 1 },
  },
  'a delivery that merges': {
    prepare: createdBefore,
    send: (one) => webhook.send(one),
    expected: { status: 200, outcome: 'merged', leads: 1, messages: 1, entries: 2, deliveries: 1 },
  },
  'a delivery with a platform’s id': {
    prepare: createdBefore,
    send: (one) => webhook.send({ ...one, lead_id: one.email }),
    expected: { status: 200, outcome: 'merged', leads: 1, messages: 1, entries: 2, deliveries: 1 },
  },
  'a delivery that is rejected': {
    send: ({ email, message }) => webhook.send({ name: 'No contact', company: `${email} Ltd`, message }),
    expected: { status: 400, leads: 0, messages: 0, entries: 0, deliveries: 1 },
  },
  'a request with several records': {
    prepare: createdBefore,
    send: (one) => {
      const other = () => ({ ...person(), email: `other-${randomUUID()}@example.com` })
      return webhook.send({ leads: [other(), one, other()] })
    },
    expected: { status: 200, outcome: 'created', leads: 1, messages: 1, entries: 2, deliveries: 1 },
  },
  'a create with an Idempotency-Key': {
    send: withKey('/api/v1/leads', ({ name, email, message }) => ({ name, email, notes: message })),
    expected: { status: 201, leads: 1, messages: 1, entries: 1, deliveries: 0 },
  },
}

const back = async () => {
  for (const deadline = Date.now() + 20_000; ; await sleep(20)) {
    if ((await ask(served.url, null, 'GET', '/readyz')).status === 200) return
    assert.ok(Date.now() < deadline, 'not back')
  }
}

/** What runs by itself at any time, or only while nothing is cached. */
const others = [
  /^select 1$|^listen|pg_tables|webhook_storage|api_key_uses|from migrations/,
  /^\s*select .*from (webhooks|accounts|users|api_keys|distribution_rules)\b/s,
]
const isOther = (statement: string, before: string[]) =>
  [...before, statement].some((text) => others.some((other) => other.test(text)))

interface Statement {
  text: string
  /** How many equal ones came before it. */
  nth: number
}

/** The statements of a request: those that came both times, because a background job may run beside one. */
async function statementsOf(kind: Kind): Promise<Statement[]> {
  const [first, second] = [await recorded(kind), await recorded(kind)]
  return first.filter(({ text, nth }) => second.some((other) => other.text === text && other.nth === nth))
}

async function recorded({ prepare, send }: Kind): Promise<Statement[]> {
  const statements: Statement[] = []
  const one = prepare ? await prepare() : person()
  wire.cutAt((text, before) => {
    const nth = statements.filter((earlier) => earlier.text === text).length
    if (!isOther(text, before)) statements.push({ text, nth })
    return null
  })
  await send(one)
  wire.cutAt(() => null)
  return statements
}

/** Ends a transaction, or is one by itself. */
const isCommit = (text: string) => text === 'commit' || text.includes('record_delivery_of_new_lead')

// From the first delivery a webhook learns its fields.
await webhook.send(person())

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name} is saved once if its connection is cut at ${everywhere ? 'any statement' : 'a commit'}`, async (t) => {
    const statements = await statementsOf(kind)
    assert.ok(statements.some(({ text }) => isCommit(text)))
    let caused = 0
    for (const { text, nth } of statements) {
      if (!everywhere && !isCommit(text)) continue
      for (const cut of ['before', 'after'] as const satisfies Cut[]) {
        const one = kind.prepare ? await kind.prepare() : person()
        let passed = 0
        wire.cutAt((statement, before) =>
          statement === text && !isOther(statement, before) && passed++ === nth ? cut : null,
        )
        const { status, body } = await kind.send(one)
        wire.cutAt(() => null)
        const { status: expectedStatus, outcome, ...expected } = kind.expected
        const place = `cut ${cut} ${text} (${nth})`
        assert.ok(passed > nth || !isCommit(text), place)
        assert.equal(status, expectedStatus, `${place} ${JSON.stringify(body)}`)
        if (outcome) assert.equal(body.data.status, outcome, place)
        assert.deepEqual(await storedOf(one), expected, place)
        await back()
        if (passed > nth) caused++
      }
    }
    t.diagnostic(`${caused} cuts at ${statements.length} statements, nothing lost, nothing doubled`)
  })
}
