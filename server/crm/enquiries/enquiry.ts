import { withoutControls } from '../../platform/http/visible-text.ts'
import { type Answer, type Consent, type Origin, originParts } from './contract.ts'

/** What one person sent once, as it was read. */
export interface EnquiryDraft {
  origin: Origin
  answers: Answer[]
  /** Null: the sender says nothing about it. */
  consent: Consent | null
  /** How many answers there was no room for. */
  omitted: number
}

export const noEnquiry: EnquiryDraft = { origin: {}, answers: [], consent: null, omitted: 0 }

export const isEmptyEnquiry = ({ origin, answers, consent }: EnquiryDraft) =>
  answers.length === 0 && consent === null && Object.keys(origin).length === 0

/** Limits of an enquiry: answers, and characters of each text and bytes of all together. */
const limits = { answers: 100, statements: 10, question: 500, answer: 5000, origin: 1000, bytes: 16 * 1024 }

/** Limits an enquiry: texts are cut, and answers that have no room are counted. */
export function fitEnquiry({ origin, answers, consent, omitted }: EnquiryDraft): EnquiryDraft {
  const fitted = Object.fromEntries(
    originParts.flatMap((part) => {
      const text = origin[part] === undefined ? '' : cut(origin[part], limits.origin)
      return text === '' ? [] : [[part, text]]
    }),
  ) as Origin
  const given = consent && fitConsent(consent)
  let room = limits.bytes - sizeOf(fitted) - sizeOf(given)
  const kept: Answer[] = []
  for (const { question, answer } of answers.slice(0, limits.answers)) {
    const one = { question: cut(question, limits.question), answer: cut(answer, limits.answer) }
    room -= sizeOf(one)
    if (room < 0) break
    kept.push(one)
  }
  return { origin: fitted, answers: kept, consent: given, omitted: omitted + answers.length - kept.length }
}

function fitConsent({ statements, ...said }: Consent): Consent {
  const texts = Object.entries(said).map(([key, text]) => [key, cut(text, limits.origin)])
  const short = (text: string | null) => text && cut(text, limits.origin)
  return {
    ...Object.fromEntries(texts),
    statements: statements
      .slice(0, limits.statements)
      .map(({ text, choice }) => ({ text: short(text), choice: short(choice) })),
  }
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

function cut(sent: string, max: number): string {
  const text = withoutControls(sent).trim()
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
