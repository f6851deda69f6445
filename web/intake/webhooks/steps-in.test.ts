import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsIn } from './steps-in.ts'

const page = `# Shops

1. A step of the page,
   on two lines.
2. Another.

## Shop A

Words before.

1. Open **Settings**.
2. Paste the URL.
   Save.

Words after.

1. A second list.

### Shop B

No steps, and 1. is no list here.

## Shop C

1. Only this.
`

test('the steps under a heading are the items of its first numbered list, each on one line', () => {
  assert.deepEqual(stepsIn(page, 'Shop A'), ['Open **Settings**.', 'Paste the URL. Save.'])
  assert.deepEqual(stepsIn(page, 'Shops'), ['A step of the page, on two lines.', 'Another.'])
  assert.deepEqual(stepsIn(page, 'Shop C'), ['Only this.'])
})

test('a heading without a list has no steps, even if the next one has', () => {
  assert.deepEqual(stepsIn(page, 'Shop B'), [])
})

test('an unknown heading has no steps', () => {
  assert.deepEqual(stepsIn(page, 'Shop'), [])
})
