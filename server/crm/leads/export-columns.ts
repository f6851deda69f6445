import { msg } from '@lingui/core/runtime-macro'
import type { TableColumn } from '../../platform/http/table.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate, translateWord } from '../../platform/languages/translate.ts'
import { type Answer, type Consent, type Origin, originParts } from '../enquiries/contract.ts'
import { fitEnquiry, noEnquiry } from '../enquiries/enquiry.ts'
import { answersText, consentText, originText } from '../enquiries/readable-enquiry.ts'
import {
  type AnswerColumn,
  type CallOutcome,
  callOutcomes,
  type FileColumn,
  fileColumns,
  leadPriorities,
  leadStatuses,
  type OriginField,
  originFields,
  questionOf,
} from './contract.ts'
import { contextOfLabel, fieldLabel, fieldsAsShown, type LeadField } from './fields.ts'
import type { LeadFields } from './lead.ts'

/** With the owner's email. */
export type ExportedLead = Omit<LeadFields, 'deal_value'> &
  Record<OriginField, string | null> & {
    id: string
    deal_value: string | null
    other_contacts: string | null
    /** The newest first. */
    enquiries: ExportedEnquiry[] | null
    /** By the questions that have a column. */
    answers: Record<string, string> | null
    created_at: Date
    updated_at: Date
    call_again_at: Date | null
    last_call_at: Date | null
    last_call_outcome: CallOutcome | null
    attempts: number
    enquired_again_at: Date | null
    lost_reason: string | null
    closed_at: Date | null
    /** A day, as 2026-12-15. */
    expected_close: string | null
  }

interface ExportedEnquiry {
  answers: Answer[]
  origin: Origin
  consent: Consent | null
}

/** What calls, enquiries and the status of a lead amount to. An import leaves it out. */
export const figureNames: Text[] = [
  msg`Last call (IST)`,
  msg`Last call outcome`,
  msg`Call attempts`,
  msg`Enquired again (IST)`,
  msg`Closed (IST)`,
  msg`Expected closing`,
]

/** Columns that are read from the lead's enquiries. */
const ofEnquiries: readonly string[] = ['answers', 'origin', 'consent', 'do_not_call'] satisfies FileColumn[]
export const areOfEnquiries = (columns: readonly (FileColumn | AnswerColumn)[]) =>
  columns.some((column) => ofEnquiries.includes(column))

type Column = TableColumn<ExportedLead>

/** Returns columns of a file, with names and values in a language. */
export function exportColumns(
  language: Language,
  columns: readonly (FileColumn | AnswerColumn)[] = fileColumns,
): Column[] {
  const known = columnsIn(language)
  return columns.map((column) => {
    const question = questionOf(column)
    if (question === undefined) return known[column as FileColumn]
    return { header: question, kind: 'text', cell: ({ answers }) => answers?.[question] ?? null }
  })
}

function columnsIn(language: Language): Record<FileColumn, Column> {
  const label = (field: string) => translateWord(fieldLabel(field), language, contextOfLabel[field])
  const inIst = (word: string) => `${translateWord(word, language)} (IST)`
  const words = new Map<string, string>(
    [...leadStatuses, ...leadPriorities, ...callOutcomes].map((word) => [word, translateWord(word, language)]),
  )
  const word = (value: string | null) => value && (words.get(value) ?? value)
  const [lastCall, lastCallOutcome, attempts, enquiredAgain, closed, expectedClose] = figureNames.map((name) =>
    translate(name, language),
  )
  const text = (header: string, cell: (lead: ExportedLead) => string | null): Column => ({ header, kind: 'text', cell })
  const time = (header: string, cell: (lead: ExportedLead) => Date | null): Column => ({ header, kind: 'time', cell })
  type PlainField = Exclude<LeadField, 'deal_value' | 'tags'> | OriginField
  const plain = <Field extends PlainField>(fields: readonly Field[]) =>
    Object.fromEntries(fields.map((field) => [field, text(label(field), (lead) => lead[field])])) as Record<
      Field,
      Column
    >
  return {
    ...plain(fieldsAsShown.filter((field) => field !== 'deal_value' && field !== 'tags' && field !== 'assigned_to')),
    ...plain(originFields),
    phone: { header: label('phone'), kind: 'phone', cell: ({ phone }) => phone },
    status: text(label('status'), ({ status }) => word(status)),
    priority: text(label('priority'), ({ priority }) => word(priority)),
    tags: text(label('tags'), ({ tags }) => tags.map(tagText).join('; ')),
    deal_value: {
      header: label('deal_value'),
      kind: 'money',
      cell: ({ deal_value }) => (deal_value === null ? null : Number(deal_value)),
    },
    owner: text(label('assigned_to'), ({ assigned_to }) => assigned_to),
    other_contacts: { header: label('other_contacts'), kind: 'phone', cell: (lead) => lead.other_contacts },
    answers: text(label('answers'), (lead) => answersText(joined(lead).answers)),
    origin: text(translate(msg`Origin`, language), (lead) => originText(joined(lead).origin, furtherParts)),
    consent: text(label('consent'), (lead) => consentOf(lead).given),
    do_not_call: text(label('do_not_call'), (lead) => consentOf(lead).do_not_call),
    created: time(inIst('Created'), ({ created_at }) => created_at),
    updated: time(inIst('Updated'), ({ updated_at }) => updated_at),
    id: text('Id', ({ id }) => id),
    call_again: time(inIst('Call again'), ({ call_again_at }) => call_again_at),
    last_call: time(lastCall!, ({ last_call_at }) => last_call_at),
    last_call_outcome: text(lastCallOutcome!, ({ last_call_outcome }) => word(last_call_outcome)),
    attempts: { header: attempts!, kind: 'number', cell: (lead) => lead.attempts },
    enquired_again: time(enquiredAgain!, ({ enquired_again_at }) => enquired_again_at),
    lost_reason: text(label('lost_reason'), ({ lost_reason }) => lost_reason),
    closed: time(closed!, ({ closed_at }) => closed_at),
    expected_close: { header: expectedClose!, kind: 'date', cell: (lead) => lead.expected_close },
  }
}

/** What is not in columns of its own. */
const furtherParts = originParts.filter((part) => !originFields.includes(part as OriginField))

/** The answers of all enquiries, within the limits of one, and what the first of them that names it says of the origin. */
function joined({ enquiries }: ExportedLead) {
  const all = enquiries ?? []
  const origin: Origin = Object.assign({}, ...all.map((enquiry) => enquiry.origin))
  return fitEnquiry({ ...noEnquiry, origin, answers: all.flatMap(({ answers }) => answers) })
}

/** All statements, and of the rest what is newest. */
function consentOf({ enquiries }: ExportedLead) {
  const consents = (enquiries ?? []).flatMap(({ consent }) => consent ?? [])
  const { do_not_call = '', ...newest }: Consent = Object.assign({ statements: [] }, ...consents.toReversed())
  const given = consentText({ ...newest, statements: consents.flatMap(({ statements }) => statements) })
  return { given, do_not_call }
}

/** A tag with a separator is in quotes, so that an import reads it as one. */
const tagText = (tag: string) => (/[,;"]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)
