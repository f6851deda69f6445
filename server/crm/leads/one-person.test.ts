import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { freePort, testApp } from '#test/app.ts'
import { ask, people } from '#test/people.ts'
import { assertCountsHold, timelineOf } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { asha, meena, bela } = await people(app)
const { owner } = app
const second = await secondProcess()
after(second.stop)

/** Another process of the service on the same database. */
async function secondProcess() {
  const { host, port, username, password, database } = app.connection
  const signIn = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`
  const query = new URLSearchParams({ host, port: String(port) })
  const own = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: `postgres://${signIn}@localhost/${database}?${query}`,
    PORT: String(own),
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
  const url = `http://127.0.0.1:${own}`
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../operations/main.ts'), 'serve'], {
    env,
    stdio: 'ignore',
  })
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    assert.equal(child.exitCode, null, 'the second process ended')
    await setTimeout(50)
  }
  return {
    url,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

const spellings = ['98100 44321', '+919810044321', '098100-44321', '91 98100 44321', '(98100) 44321']
const inOtherCase = (email: string, index: number) => (index % 2 ? email.toUpperCase() : email)

/** Forty at once, each with a tag of its own, spelled as people spell: what becomes of them. */
async function fortyOfOne(
  contact: (index: number) => object,
  urls: string[],
  senders = [asha],
  headers: (index: number) => Record<string, string> = () => ({}),
) {
  const rows = () => owner`select id, tags from leads order by created_at, id`
  const known = (await rows()).map(({ id }) => id)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const lead = { name: 'Ravi', ...contact(index), tags: [`tag-${index}`] }
      const { secret } = senders[index % senders.length]!.key
      return ask(urls[index % urls.length]!, secret, 'POST', '/api/v1/leads', lead, headers(index))
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(39).fill(200), 201])
  const [id, ...otherIds] = new Set(answers.map(({ body }) => body.data.id))
  assert.deepEqual(otherIds, [])
  const made = (await rows()).filter((row) => !known.includes(row.id))
  assert.deepEqual(
    made.map((row) => row.id),
    [id],
  )
  assert.equal((await timelineOf(owner, id)).length, 40)
  await assertCountsHold(owner)
  return { id: id as string, tags: made[0]!.tags as string[] }
}

const allTags = Array.from({ length: 40 }, (_, index) => `tag-${index}`).sort()

for (const [where, urls] of [
  ['in one process', [app.url]],
  ['in two processes', [app.url, second.url]],
] as const) {
  const own = urls.length
  const phoneOf = (index: number) => spellings[index % spellings.length]!.replace('44321', `4432${own}`)
  for (const [what, contact] of [
    ['the phone', (index: number) => ({ phone: phoneOf(index).replace('100', '101') })],
    ['the email', (index: number) => ({ email: inOtherCase(`ravi${own}@x.in`, index) })],
    ['both', (index: number) => ({ phone: phoneOf(index), email: inOtherCase(`both${own}@x.in`, index) })],
  ] as const) {
    test(`of forty simultaneous creates of one person by ${what}, ${where}, one creates and no tag is lost`, async () => {
      const { tags } = await fortyOfOne(contact, [...urls])
      assert.deepEqual(tags.toSorted(), allTags)
    })
  }
}

test('of forty simultaneous creates with repeated idempotency keys, one creates', async () => {
  const contact = (index: number) => ({ phone: spellings[index % 5]!.replace('44321', '44399') })
  const { tags } = await fortyOfOne(contact, [app.url, second.url], [asha], (index) => ({
    'idempotency-key': `k${index}`,
  }))
  assert.deepEqual(tags.toSorted(), allTags)
})

test('of forty simultaneous creates by several users, one creates and nothing is lost', async () => {
  const contact = (index: number) => ({ phone: spellings[index % 5]!.replace('44321', '44388') })
  const { id } = await fortyOfOne(contact, [app.url, second.url], [asha, meena, bela])
  const recorded =
    JSON.stringify([...(await timelineOf(owner, id))]) +
    JSON.stringify([...(await owner`select tags from leads where id = ${id}`)])
  for (const tag of allTags) assert.ok(recorded.includes(`"${tag}"`), `${tag} is lost`)
})

test('forty simultaneous submissions that add a phone to a lead with an email are all merged', async () => {
  const lead = await asha.send('POST', '/api/v1/leads', { name: 'Email alone', email: 'alone@x.in' })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      ask([app.url, second.url][index % 2]!, asha.key.secret, 'POST', '/api/v1/leads', {
        name: 'Email alone',
        email: 'alone@x.in',
        phone: spellings[index % 5]!.replace('44321', '44377'),
        tags: [`tag-${index}`],
      }),
    ),
  )
  assert.deepEqual(
    new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)),
    new Set([`200 ${lead.body.data.id}`]),
  )
  const [row] = await owner`select tags from leads where id = ${lead.body.data.id}`
  assert.deepEqual(row!.tags.toSorted(), allTags)
})

test('crossing phones and emails, with deletions between, cause no error and no duplicate', async () => {
  const random = seeded(7)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!
  const phones = ['9819900001', '9819900002', '9819900003']
  const emails = ['c1@x.in', 'c2@x.in', 'c3@x.in']
  const contacts = [
    () => ({ phone: pick(phones) }),
    () => ({ email: pick(emails) }),
    () => ({ phone: pick(phones), email: pick(emails) }),
  ]
  const ids: string[] = []
  const statuses = new Map<number, number>()
  async function worker(index: number) {
    const url = index % 2 ? app.url : second.url
    for (let step = 0; step < 30; step++) {
      const id = random() < 0.25 ? pick(ids.slice(-4)) : undefined
      const answer = id
        ? await ask(url, asha.key.secret, 'DELETE', `/api/v1/leads/${id}`)
        : await ask(url, asha.key.secret, 'POST', '/api/v1/leads', { name: 'Crossing', ...pick(contacts)() })
      if (!id) ids.push(answer.body.data?.id)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, index) => worker(index)))
  for (const status of statuses.keys()) assert.ok([200, 201, 404].includes(status), `${status}`)
  const doubles =
    await owner`select count(*) from leads group by account_id, phone_key having count(*) > 1 and phone_key is not null
    union all select count(*) from leads group by account_id, email_key having count(*) > 1 and email_key is not null`
  assert.deepEqual([...doubles], [])
  await assertCountsHold(owner)
})

function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
