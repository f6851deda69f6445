import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { everyGuide, guideFor } from './guides.ts'
import { stepsIn } from './steps-in.ts'

const docs = join(import.meta.dirname, '../../docs/webhooks')

for (const { name, page } of everyGuide) {
  test(`docs/webhooks/${page} has steps for ${name} that the web app can show`, () => {
    const steps = stepsIn(readFileSync(join(docs, page), 'utf8'), name)
    assert.ok(steps.length > 0, `no numbered list right under the heading ${name}`)
    for (const step of steps) assert.doesNotMatch(step, /\]\(/, 'a step has no links and no pictures')
  })
}

test('every guide has a name of its own', () => {
  assert.equal(new Set(everyGuide.map(({ name }) => name)).size, everyGuide.length)
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
    assert.equal(guideFor(label)?.name, name)
  })
}
