import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#test/until.ts'
import { assertWellMade, desk, phone, press, startJourney } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  await journey.asha.send('POST', '/api/v1/leads', {
    ...{ name: 'Old Lead', phone: '9810066001', source: 'Housing' },
    ...{ city: 'Nashik', tags: ['NRI'] },
  })
})
after(() => journey.close())

test('a rule is created, moved by keyboard, tested, applied and deleted', async () => {
  const page = await journey.pageOf(journey.asha)
  const create = async (name: string, city: string | null, person: RegExp) => {
    await press(page.getByRole('button', { name: 'Create rule' }))
    const form = page.getByRole('dialog', { name: 'Create rule' })
    await press(form.getByRole('button', { name: 'Create rule' }))
    await form.getByText('Give the rule a name.').waitFor()
    await form.getByLabel('Name').fill(name)
    if (city) {
      await form.getByLabel('Cities').fill(city)
      await form.getByLabel('Cities').press('Enter')
    }
    await press(form.getByRole('button', { name: 'Create rule' }))
    await form.getByText('Add at least one assignee.').waitFor()
    await form.getByRole('combobox', { name: 'Add an assignee' }).click()
    await page.getByRole('option', { name: person }).click()
    await press(form.getByRole('button', { name: 'Create rule' }))
    await form.waitFor({ state: 'detached' })
  }
  const order = async () => {
    const handles = await page
      .getByRole('list', { name: 'Rules' })
      .getByRole('button', { name: /^Move / })
      .all()
    return Promise.all(handles.map((handle) => handle.getAttribute('aria-label')))
  }

  /** A key that comes before the list is measured does nothing, so it is pressed again. */
  const moveUp = async (rule: string, place: string) => {
    const said = page.getByText(`${rule} would be ${place}`)
    for (let isSaid = false; !isSaid; ) {
      await page.getByRole('button', { name: `Move ${rule}` }).press('ArrowUp')
      isSaid = await said.waitFor({ state: 'attached', timeout: 3000 }).then(
        () => true,
        () => false,
      )
    }
  }

  await page.goto('/settings/distribution')
  await create('Everything', null, /Bela/)
  await create('Pune', 'Pune', /Chand/)
  assert.deepEqual(await order(), ['Move Everything', 'Move Pune'])

  const answer = page.getByRole('region', { name: 'Test a lead' }).getByRole('status')
  await page.getByRole('combobox', { name: 'Source' }).fill('Walk-in')
  await page.getByRole('textbox', { name: 'City' }).fill('Pune')
  await answer.getByText('Bela').first().waitFor()

  const handle = page.getByRole('button', { name: 'Move Pune' })
  await press(handle, 'Space')
  await page.getByText('Pune would be number 2 of 2').waitFor({ state: 'attached' })
  await moveUp('Pune', 'number 1 of 2')
  await handle.press('Space')
  await page.getByText('“Pune” is now number 1').waitFor()
  assert.deepEqual(await order(), ['Move Pune', 'Move Everything'])
  await answer.getByText('Chand').first().waitFor()
  // Chand has no password.
  await answer.getByText('Chand has not joined yet.').waitFor()
  await assertWellMade(page)

  await press(page.getByRole('button', { name: 'Create rule' }))
  const form = page.getByRole('dialog', { name: 'Create rule' })
  await form.getByLabel('Sources').fill('hous')
  await form.getByLabel('Sources').press('Enter')
  await form.getByText('Housing', { exact: true }).waitFor()
  await form.getByLabel('Sources').fill('Mela')
  await form.getByLabel('Sources').press('Enter')
  await form.getByText('No recent lead has “Mela”. Check the spelling.').waitFor()
  // Enter chooses, and never submits: the field keeps nothing of the last search.
  await form.getByLabel('Name').fill('Two')
  const add = form.getByRole('combobox', { name: 'Add an assignee' })
  for (const typed of ['Bel', 'Chan', 'Nobody']) {
    // The field empties a moment after a choice, and selects the first option a moment after the last letter.
    await until(async () => (await add.inputValue()) === '', 'the empty field')
    await add.pressSequentially(typed, { delay: 30 })
    if (typed !== 'Nobody') await page.locator('[role="option"][data-combobox-selected]', { hasText: typed }).waitFor()
    await add.press('Enter')
  }
  await page.getByRole('listbox', { name: 'Add an assignee' }).getByText('No matches').waitFor()
  assert.equal(await form.getByRole('button', { name: /^Remove (Bela|Chand)$/ }).count(), 2)
  // What the enquiry names, and what the person answered.
  await press(form.getByRole('button', { name: 'Campaign, product, form and answers' }))
  await form.getByLabel('Campaigns').fill('Diwali')
  await form.getByLabel('Campaigns').press('Enter')
  await press(form.getByRole('button', { name: 'Add question' }))
  await press(form.getByRole('button', { name: 'Create rule' }))
  await form.getByText('Enter a question and at least one answer, or remove the question.').waitFor()
  await form.getByLabel('Question 1', { exact: true }).fill('What is your budget?')
  await form.getByLabel('Answers to question 1').fill('60 lakh')
  await form.getByLabel('Answers to question 1').press('Enter')
  await assertWellMade(page)
  await press(form.getByRole('button', { name: 'Create rule' }))
  await form.waitFor({ state: 'detached' })
  await page.getByText('Source Housing or Mela, campaign Diwali, “What is your budget?” 60 lakh').waitFor()
  await page.getByRole('combobox', { name: 'Source' }).fill('Mela')
  await page.getByRole('combobox', { name: 'Campaign' }).fill('diwali')
  await page.getByRole('combobox', { name: 'What is your budget?' }).fill('60 Lakh')
  await press(page.getByRole('button', { name: 'Move Two' }), 'Space')
  await page.getByText('Two would be number 3 of 3').waitFor({ state: 'attached' })
  for (const position of [2, 1]) await moveUp('Two', `number ${position} of 3`)
  await page.getByRole('button', { name: 'Move Two' }).press('Space')
  await page.getByText('“Two” is now number 1').waitFor()
  await answer.getByText('“Two”').first().waitFor()
  await page.getByRole('combobox', { name: 'What is your budget?' }).fill('20 lakh')
  await answer.getByText('“Pune”').first().waitFor()
  await press(page.getByRole('button', { name: 'Actions for Two' }))
  await press(page.getByRole('menuitem', { name: 'Delete' }))
  await press(page.getByRole('dialog', { name: 'Delete Two?' }).getByRole('button', { name: 'Delete rule' }))
  await page.getByRole('button', { name: 'Move Two' }).waitFor({ state: 'detached' })

  const lead = { name: 'Ravi Kumar', phone: '9810066666', city: 'Pune' }
  assert.equal((await journey.asha.send('POST', '/api/v1/leads', lead)).status, 201)
  await page.reload()
  const recent = page.getByRole('region', { name: 'Recently assigned' }).getByRole('listitem')
  await recent.filter({ hasText: 'Ravi Kumar' }).filter({ hasText: 'Chand' }).waitFor()

  await press(page.getByRole('button', { name: 'Actions for Pune' }))
  await press(page.getByRole('menuitem', { name: 'Delete' }))
  await press(page.getByRole('dialog', { name: 'Delete Pune?' }).getByRole('button', { name: 'Delete rule' }))
  await handle.waitFor({ state: 'detached' })
  assert.deepEqual(await order(), ['Move Everything'])

  await page.goto('/settings/audit?action=distribution_rule')
  await page.getByText('deleted the distribution rule Pune').waitFor()
  await page.getByText('moved the distribution rule (deleted since) to position 1').first().waitFor()
})

test('conditions offer known values, a team is added at once, and Save is always in view', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/distribution')
  await press(page.getByRole('button', { name: 'Create rule' }))
  const form = page.getByRole('dialog', { name: 'Create rule' })
  await form.getByLabel('Name').fill('Nashik')
  for (const [field, typed, known] of [
    ['Cities', 'nas', 'Nashik'],
    ['Tags', 'nr', 'NRI'],
  ] as const) {
    await form.getByLabel(field).fill(typed)
    await page.getByRole('option', { name: known }).waitFor()
    await form.getByLabel(field).press('Enter')
    await form.getByText(known, { exact: true }).waitFor()
  }
  await form.getByLabel('Cities').fill('ashi')
  await form.getByLabel('Cities').press('Enter')
  await form.getByText('No recent lead has “ashi”. Check the spelling.').waitFor()
  await press(form.getByLabel('Cities'), 'Backspace')
  await form.getByRole('combobox', { name: 'Add an assignee' }).click()
  await page.getByRole('option', { name: 'Whole team north · 2 users' }).click()
  for (const name of ['Meena', 'Bela']) await form.getByRole('button', { name: `Remove ${name}` }).waitFor()
  // Who is in the rule is not offered again.
  await form.getByRole('combobox', { name: 'Add an assignee' }).click()
  await page.getByRole('option', { name: 'Whole team south · 1 user' }).waitFor()
  assert.equal(await page.getByRole('option', { name: /north|Bela/ }).count(), 0)
  await page.keyboard.press('Escape')

  for (const size of [desk, phone]) {
    await page.setViewportSize(size)
    await form.getByLabel('Name').scrollIntoViewIfNeeded()
    for (const name of ['Create rule', 'Cancel']) {
      const box = (await form.getByRole('button', { name }).boundingBox())!
      assert.ok(box.y + box.height <= size.height, `${name} is below the screen of ${size.width} px`)
    }
    await assertWellMade(page)
  }
  await press(form.getByRole('button', { name: 'Create rule' }))
  await form.waitFor({ state: 'detached' })
  const rule = page
    .getByRole('list', { name: 'Rules' })
    .getByRole('listitem')
    .filter({ hasText: 'City Nashik, tagged NRI' })
  for (const name of ['Meena', 'Bela']) await rule.getByText(name).first().waitFor()
})

test('of many rules one is found by its city or assignee, and moved to the top', async () => {
  const page = await journey.pageOf(journey.asha)
  for (let n = 1; n <= 9; n++) {
    const rule = { name: `Branch ${n}`, cities: [`Town ${n}`], people: [{ user_id: journey.chand.id, weight: 1 }] }
    const created = await page.request.post('/web/distribution-rules', { data: rule, headers: { origin: journey.url } })
    assert.equal(created.status(), 201)
  }
  await page.goto('/settings/distribution')
  const rules = page.getByRole('list', { name: 'Rules', exact: true })
  await page.getByRole('searchbox', { name: 'Name, condition, assignee…' }).fill('town 7')
  await rules.getByText('Branch 6').waitFor({ state: 'detached' })
  assert.equal(await rules.getByRole('button', { name: /^Move / }).count(), 1)
  await press(page.getByRole('button', { name: 'Actions for Branch 7' }))
  await press(page.getByRole('menuitem', { name: 'Move to the top' }))
  await page.getByText('“Branch 7” is now number 1').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await rules.getByText('Branch 6').waitFor()
  assert.equal(
    await rules
      .getByRole('button', { name: /^Move / })
      .first()
      .getAttribute('aria-label'),
    'Move Branch 7',
  )
  await page.getByRole('searchbox', { name: 'Name, condition, assignee…' }).fill('no such rule')
  await page.getByText('No rule matches the search.').waitFor()
  await assertWellMade(page)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
