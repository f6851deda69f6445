import { msg } from '@lingui/core/runtime-macro'
import { type LeadField, leadFieldNames, leadFields } from '../../crm/leads/contract.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { translate } from '../../platform/languages/translate.ts'
import type { FieldMatch } from './contract.ts'
import { textOf } from './plain-text.ts'

const maxTextLength = 10_000

const exact = leadFieldNames.filter((field) => !leadFields[field].recognised)

/**
 * Returns the fields that are read only at the top and by their exact name, to which forms append `[]` or `[0]`: a status or a tag
 * under another name or deeper may be about something else.
 */
export function statedMatches(
  payload: Record<string, unknown>,
  language?: Language,
): (FieldMatch & { field: LeadField })[] {
  return exact.flatMap((field) => {
    const keys = Object.keys(payload).filter((key) => key.startsWith(field) && index.test(key.slice(field.length)))
    const values = keys.flatMap((key) => payload[key])
    const text = textOf(values.length > 1 ? values : values[0], maxTextLength)
    if (text === undefined || text.trim() === '') return []
    const reason = translate(msg`Field name is ${{ field }}`, language)
    return [{ field, path: field, value: text, reason, by: 'recognised' as const, confidence: 'sure' as const }]
  })
}

const index = /^(\[\d*\])?$/
