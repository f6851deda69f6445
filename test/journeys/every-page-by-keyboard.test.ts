import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWhole, startEveryPage } from '../every-page.ts'
import { press } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startEveryPage>>
before(async () => {
  journey = await startEveryPage()
})
after(() => journey.close())

test('every control of every page can be reached with Tab', async () => {
  const { pages, pageOf, asha } = journey
  const page = await pageOf(asha)
  for (const [name, path] of Object.entries(pages)) {
    await openWhole(page, path)
    const usable = await page.evaluate<string[]>(markUsable)
    let missed = usable
    for (let left = usable.length + 60; missed.length > 0 && left > 0; left -= missed.length) {
      for (const _ of missed) await page.keyboard.press('Tab')
      missed = await page.evaluate<string[]>('usable.filter((element) => !focused.has(element)).map(described)')
    }
    assert.deepEqual(missed, [], name)
  }
})

test('closing what a menu opened returns the focus to the button of the menu', async () => {
  const { pages, pageOf, asha, bela, url } = journey
  const page = await pageOf(asha)
  const rule = { name: 'Fairs', people: [{ user_id: bela.id, weight: 1 }] }
  await page.request.post('/web/distribution-rules', { data: rule, headers: { origin: url } })
  for (const [path, button, item] of [
    [pages['A lead'], 'More actions', 'Delete lead'],
    [pages.Calls, /^Actions for the/, 'Delete call'],
    [pages.Team, 'Actions for Bela', 'Edit'],
    [pages['A webhook'], 'More actions', 'Connect a source'],
    [pages.Distribution, 'Actions for Fairs', 'Delete'],
    [pages['API keys'], /^Actions for/, 'Revoke'],
  ] as const) {
    await openWhole(page, path)
    const opener = page.getByRole('button', { name: button }).first()
    await press(opener)
    await press(page.getByRole('menuitem', { name: item, exact: true }))
    const dialog = page.getByRole('dialog').filter({ has: page.locator(':focus') })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await opener.and(page.locator(':focus')).waitFor()
  }
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))

/**
 * Notes what a mouse can use, and what of it has the focus from here on; answers what each is. In a group with arrow keys
 * one of them stands for all.
 */
const markUsable = `
  var described = (element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60) + ' ' + element.outerHTML.slice(0, 120)
  var focused = new Set()
  document.addEventListener('focusin', ({ target }) => focused.add(target))
  var usable = [...(document.querySelector('[role=dialog]') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const inGroup = element.closest('[role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=tree]')
      return width > 0 && height > 0 && !element.disabled && element.tabIndex >= 0 && element.type !== 'radio' && !inGroup
    })
  usable.map(described)
`
