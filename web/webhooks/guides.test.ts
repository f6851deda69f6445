import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { everyGuide, guideFor } from './guides.ts'

const docs = join(import.meta.dirname, '../../docs/webhooks')

/** A page without line breaks, as its lists are read. */
const flowing = (page: string) => readFileSync(join(docs, page), 'utf8').replace(/\s+/g, ' ')

for (const { name, steps, page } of everyGuide) {
  test(`docs/webhooks/${page} has the steps of ${name} as the web app shows them`, () => {
    const list = steps.map((step, at) => `${at + 1}. ${step}`).join(' ')
    assert.ok(flowing(page).includes(list.replaceAll('’', "'")), `not in ${page}: ${list}`)
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
