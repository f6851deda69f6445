import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideContacts } from './hide-contacts.ts'

for (const [given, shown] of [
  ['Asha Rao', 'Asha Rao'],
  ['Flat 4, 2 BHK in 411045', 'Flat 4, 2 BHK in 411045'],
  ['Call 98200 11223 now', 'Call ••• now'],
  ['+91 (98200) 11-22-33', '•••'],
  ['९८२००११२२३', '•••'],
  ['wa.me/919820011223', 'wa.me/•••'],
  ['or asha.rao@example.com.', 'or •••'],
  ['9820011223 / 9820011224', '•••'],
] as const)
  test(`“${given}” is shown as “${shown}”`, () => assert.equal(hideContacts(given), shown))
