import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { detailsIn } from './details-in.ts'
import { guideFor, guidesIn, sorted } from './guide.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const ofSenders = globSync('server/intake/payload/senders/*/guide.md', { cwd: root })
const ofDocs = globSync('docs/webhooks/*.md', { cwd: root })
const guides = sorted([
  ...ofSenders.flatMap((page) =>
    guidesIn(page, read(page), JSON.parse(read(join(dirname(page), 'sender.json'))).guide),
  ),
  ...ofDocs.flatMap((page) => guidesIn(page, read(page))),
])

for (const { name, page, steps } of guides) {
  test(`${page} has steps for ${name} that the web app can show`, () => {
    assert.ok(steps.length > 0, `no numbered list right under the heading ${name}`)
    for (const step of steps) assert.doesNotMatch(step, /\]\(/, 'a step has no links and no pictures')
  })
}

test('the details of every sender are titles, texts, lists and payloads, without links to the repository', () => {
  for (const page of ofSenders) {
    const [title, ...blocks] = detailsIn(read(page))
    assert.deepEqual(title, { kind: 'title', text: 'What arrives' }, page)
    assert.doesNotMatch(JSON.stringify(blocks.filter(({ kind }) => kind !== 'code')), /\]\(|```|\.md/, page)
  }
})

test('every sender with a guide is listed, and every guide has a name of its own', () => {
  const declared = globSync('server/intake/payload/senders/*/sender.json', { cwd: root }).filter(
    (file) => JSON.parse(read(file)).guide,
  )
  assert.deepEqual(ofSenders.map(dirname).sort(), declared.map(dirname).sort())
  assert.equal(new Set(guides.map(({ name }) => name)).size, guides.length)
  assert.ok(guides.length > ofSenders.length)
  const list = read('docs/webhooks/README.md')
  for (const page of ofSenders)
    assert.ok(list.includes(`](../../${page})`), `${page} is not in docs/webhooks/README.md`)
})

test('guides are listed by kind, the most used first', () => {
  assert.deepEqual(
    [...new Set(guides.map(({ kind }) => kind))],
    [
      'Ads',
      'Portals',
      'Forms and websites',
      'Chat',
      'Telephone systems',
      'Shops and payments',
      'CRM',
      'Bridges',
      'Other',
    ],
  )
  assert.equal(guides[0]?.name, 'Meta Lead Ads (Facebook, Instagram)')
  assert.equal(guides.at(-1)?.name, 'Anything else')
})

for (const [label, name] of [
  ['IndiaMART', 'IndiaMART'],
  ['Shopify Pune', 'Shopify'],
  ['Housing portal', 'Housing.com'],
  ['google ads', 'Google Ads lead forms'],
  ['Google', 'Google Ads lead forms'],
  ['Meta', 'Meta Lead Ads (Facebook, Instagram)'],
  ['whatsapp', 'WhatsApp Cloud API'],
  ['Our own page', undefined],
  ['IVR', undefined],
] as const) {
  test(`a webhook named ${label} starts with ${name ?? 'no guide'}`, () => {
    assert.equal(guideFor(guides, label)?.name, name)
  })
}
