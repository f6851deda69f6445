import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWhole, startEveryPage } from '../every-page.ts'

test('every page is reached by keyboard: Tab comes to all that can be used', async (context) => {
  const { pages, pageOf, asha, close } = await startEveryPage()
  context.after(close)
  const page = await pageOf(asha)
  for (const [name, path] of Object.entries(pages)) {
    await openWhole(page, path)
    const usable = await page.evaluate<string[]>(markUsable)
    const missed = new Map(usable.map((what, index) => [String(index), what]))
    for (let pressed = 0; missed.size > 0 && pressed < usable.length + 60; pressed++) {
      await page.keyboard.press('Tab')
      missed.delete(await page.evaluate<string>('document.activeElement?.getAttribute("data-usable") ?? ""'))
    }
    assert.deepEqual([...missed.values()], [], name)
  }
})

/** Numbers what a mouse can use, and answers what each is. In a group with arrow keys one of them stands for all. */
const markUsable = `
  [...(document.querySelector('[role=dialog]') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const inGroup = element.closest('[role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=tree]')
      return width > 0 && height > 0 && !element.disabled && element.tabIndex >= 0 && element.type !== 'radio' && !inGroup
    })
    .map((element, index) => {
      element.setAttribute('data-usable', index)
      return (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60) + ' ' + element.outerHTML.slice(0, 120)
    })
`
