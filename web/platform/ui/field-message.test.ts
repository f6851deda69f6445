import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageAtField } from './field-message.ts'

const messages: [field: string | undefined, message: string, atField: string][] = [
  ['email', 'email is not a valid email address.', 'This is not a valid email address.'],
  ['tags', 'tags must be at most 50 values.', 'This must be at most 50 values.'],
  ['phone', 'phone or email is required.', 'Phone or email is required.'],
  ['phone', 'A lead needs a phone or an email.', 'A lead needs a phone or an email.'],
  ['deal_value', 'Enter a deal_value.', 'Enter a deal value.'],
  [undefined, 'The body must be a JSON object.', 'The body must be a JSON object.'],
]
test('a message at its field does not name the field of the API', () => {
  for (const [field, message, atField] of messages) assert.equal(messageAtField({ message, field }), atField)
})
