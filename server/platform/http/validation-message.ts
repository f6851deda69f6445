import { msg } from '@lingui/core/runtime-macro'
import type { ErrorObject } from 'ajv'
import { type Text, withValues } from '../languages/translate.ts'

/** Says what is wrong with a field. The field keeps its name in the API: the web app replaces it. */
export type FieldMessage = (field: string) => Text

/** `formats`: the messages of formats by their names. */
export function validationMessage(
  field: string,
  { keyword, params, message, instancePath }: ErrorObject,
  formats: Map<string, FieldMessage>,
): Text {
  const inList = instancePath.split('/').length > 2
  switch (keyword) {
    case 'required':
    case 'minLength':
    case 'pattern':
      return withValues(texts[keyword], { field })
    case 'maxLength':
      return withValues(inList ? texts.maxLengthInList : texts.maxLength, { field, limit: params.limit })
    case 'maxItems':
    case 'minimum':
    case 'maximum':
      return withValues(texts[keyword], { field, limit: params.limit })
    case 'enum':
      return withValues(texts.enum, { field, values: (params.allowedValues as string[]).join(', ') })
    case 'type': {
      const names = typeNames[String(params.type)]
      if (!names) return `${field} must be a ${params.type}.`
      return inList
        ? withValues(texts.typeInList, { field, kinds: names.several })
        : withValues(texts.type, { field, kind: names.one })
    }
    case 'format':
      return formats.get(params.format)?.(field) ?? `${field} must be a valid ${params.format}.`
    default:
      return `${field} ${message ?? 'does not fit'}.`
  }
}

/** Made once: rejections are frequent. */
const texts = {
  required: msg`${{ field: '' }} is required.`,
  minLength: msg`${{ field: '' }} must not be empty.`,
  pattern: msg`${{ field: '' }} must not contain control characters or broken Unicode.`,
  maxLength: msg`${{ field: '' }} must be at most ${{ limit: 0 }} characters.`,
  maxLengthInList: msg`${{ field: '' }} may hold only texts of at most ${{ limit: 0 }} characters.`,
  maxItems: msg`${{ field: '' }} must be at most ${{ limit: 0 }} values.`,
  minimum: msg`${{ field: '' }} must be at least ${{ limit: 0 }}.`,
  maximum: msg`${{ field: '' }} must be at most ${{ limit: 0 }}.`,
  enum: msg`${{ field: '' }} must be one of ${{ values: '' }}.`,
  type: msg`${{ field: '' }} must be ${{ kind: '' }}.`,
  typeInList: msg`${{ field: '' }} may hold only ${{ kinds: '' }}.`,
}

const typeNames: Record<string, { one: Text; several: Text }> = {
  string: { one: msg`a string`, several: msg`strings` },
  integer: { one: msg`an integer`, several: msg`integers` },
  number: { one: msg`a number`, several: msg`numbers` },
  boolean: { one: msg`a boolean`, several: msg`booleans` },
  array: { one: msg`an array`, several: msg`arrays` },
  object: { one: msg`an object`, several: msg`objects` },
}
