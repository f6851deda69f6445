import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { detailsIn } from './details-in.ts'
import { guideFor, guidesIn, isFound, sorted } from './guide.ts'

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
  ['Facebook leads via Pabbly', 'Pabbly Connect'],
  ['FB/Insta campaign', 'Meta Lead Ads (Facebook, Instagram)'],
  ['फ़ेसबुक', 'Meta Lead Ads (Facebook, Instagram)'],
  ['Just Dial Pune', 'JustDial'],
  ['99acres.com', '99acres'],
  // Several guides are for WordPress, and for Excel.
  ['WordPress site', undefined],
  ['Excel', undefined],
  ['Our own page', undefined],
  ['IVR', undefined],
] as const) {
  test(`a webhook named ${label} starts with ${name ?? 'no guide'}`, () => {
    assert.equal(guideFor(guides, label)?.name, name)
  })
}

for (const [search, ...names] of [
  ['wordpress', 'Contact Form 7', 'Elementor', 'Gravity Forms', 'WPForms', 'Fluent Forms', 'WooCommerce'],
  ['Website', 'Wix', 'Webflow', 'Contact Form 7', 'Anything else'],
  ['html', 'Anything else'],
  ['fb', 'Meta Lead Ads (Facebook, Instagram)'],
  ['google form', 'Zapier', 'Make', 'n8n', 'Pabbly Connect'],
  ['Excel', 'Zapier', 'Make', 'n8n', 'Pabbly Connect'],
  ['ivr', 'Exotel', 'Knowlarity'],
  ['वेबसाइट', 'Wix', 'Anything else'],
  ['फ़ेसबुक', 'Meta Lead Ads (Facebook, Instagram)'],
  ['एक्सेल', 'Pabbly Connect'],
  ['कॉल', 'Exotel'],
] as const) {
  test(`the search for ${search} finds ${names.join(', ')}`, () => {
    const found = guides.filter((guide) => isFound(search, guide)).map(({ name }) => name)
    for (const name of names) assert.ok(found.includes(name), `${name} is not among ${found.join(', ')}`)
    assert.ok(found.length < guides.length / 2)
  })
}

test('the search finds a guide by its name in the language of the user, and nothing by another word', () => {
  const own = guides.find(({ name }) => name === 'Anything else')!
  assert.ok(isFound('कुछ', own, ['कुछ और']))
  assert.deepEqual(
    guides.filter((guide) => isFound('coffee', guide)),
    [],
  )
})
