import { type Static, Type } from 'typebox'
import { Nullable } from '../../platform/http/contract.ts'

/** Where an enquiry came from, as the sender names it, in the order in which it is shown. */
export const originParts = [
  'product',
  'campaign',
  'campaign_id',
  'ad_set',
  'ad_set_id',
  'ad',
  'ad_id',
  'form',
  'form_id',
  'keyword',
  'page_url',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'lead_id',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'fbc',
  'fbp',
  'ctwa_clid',
  'msclkid',
  'li_fat_id',
  'ttclid',
] as const
export type OriginPart = (typeof originParts)[number]

export const Origin = Type.Object(
  Object.fromEntries(originParts.map((part) => [part, Type.Optional(Type.String())])) as Record<
    OriginPart,
    Type.TOptional<Type.TString>
  >,
)
export type Origin = Static<typeof Origin>

/** What the person typed or chose, with the question as the sender wrote it. Several values are joined by commas. */
export const Answer = Type.Object({ question: Type.String(), answer: Type.String() })
export type Answer = Static<typeof Answer>

/** A text that was shown, and what was chosen. */
export const Statement = Type.Object({ text: Nullable(Type.String()), choice: Nullable(Type.String()) })
export type Statement = Static<typeof Statement>

export const Consent = Type.Object({
  statements: Type.Array(Statement),
  /** When and on which page it was given, as it was sent. */
  at: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
  /** The sender's mark that the person must not be called. */
  do_not_call: Type.Optional(Type.String()),
})
export type Consent = Static<typeof Consent>

/** An enquiry as the web app shows it. */
export const Enquiry = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  source: Type.String(),
  /** The folder of its sender. Null: it is not known. */
  platform: Nullable(Type.String()),
  is_repeat: Type.Boolean(),
  message: Nullable(Type.String()),
  origin: Origin,
  answers: Type.Array(Answer),
  consent: Nullable(Consent),
  /** How many answers there was no room for, and how many older enquiries are not kept. */
  omitted: Type.Integer(),
  earlier: Type.Integer(),
})
export type Enquiry = Static<typeof Enquiry>

/** The newest enquiries of a lead. `next`: the id before which there are more. */
export const Enquiries = Type.Object({ entries: Type.Array(Enquiry), next: Nullable(Type.Integer()) })
export type Enquiries = Static<typeof Enquiries>

export const EnquiriesQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})

/** Answers that are shown with the name of a lead. The page of the lead shows all. */
export const shownAnswers = 3

/** The beginning of the newest enquiry of a lead. */
export const EnquiryPreview = Type.Object({
  at: Type.String(),
  message: Nullable(Type.String()),
  product: Nullable(Type.String()),
  campaign: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  answers: Type.Array(Answer),
  /** How many other answers there are. */
  more: Type.Integer(),
  do_not_call: Nullable(Type.String()),
})
export type EnquiryPreview = Static<typeof EnquiryPreview>

/** Returns a question as people write it: "What is your budget?" for `what_is_your_budget?`. Questions with spaces stay as they were sent. */
export function questionText(question: string): string {
  const asked = question.trim()
  if (/\s/.test(asked)) return asked
  const words = asked
    .replace(/_+|(?<!\d)-+|-+(?!\d)/g, ' ')
    .trim()
    .replace(/^\p{Ll}+(\p{Lu}\p{Ll}+)+/u, (name) => name.replace(/\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`))
  return words === '' ? asked : words[0]!.toUpperCase() + words.slice(1)
}

/** An answer in one line: "What is your budget? 60–80 lakh", "City: Pune". */
export function answerLine({ question, answer }: Answer): string {
  const asked = questionText(question)
  return /[?:？]$/.test(asked) ? `${asked} ${answer}` : `${asked}: ${answer}`
}

/** In characters, of each part of a line beside a name. */
const maxLinePart = 80

/** What was asked for, in one line beside a name: the product and the first answer, else the message. Null if there is none of them. */
export function enquiryLine({
  product,
  answers: [first],
  message,
}: Pick<EnquiryPreview, 'product' | 'answers' | 'message'>): string | null {
  const parts = [product, first && answerLine(first)].filter((part) => part != null)
  const shown = parts.length > 0 ? parts : message === null ? [] : [message]
  return shown.map((part) => start(part.replace(/\s+/g, ' ').trim())).join(' · ') || null
}

const start = (text: string) =>
  text.length <= maxLinePart ? text : `${text.slice(0, maxLinePart).toWellFormed().trimEnd()}…`
