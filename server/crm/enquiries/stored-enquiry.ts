import type { Actor } from '../../platform/database/actor.ts'
import type { Origin } from './contract.ts'
import { type EnquiryDraft, fitEnquiry } from './enquiry.ts'

/** An enquiry as it is stored. */
export interface StoredEnquiry extends EnquiryDraft {
  /** Undefined: it is a new one. */
  id?: number
  at: Date
  /** When the last submission came that belongs to it. */
  last_at: Date
  via: Actor['via']
  via_id: string | null
  platform: string | null
  source: string
  /** Another one of a lead that existed. */
  is_repeat: boolean
  message: string | null
}

/**
 * Returns the last enquiry of a lead with what belongs to it; null if the next one is another enquiry. `replaces`: a delivery is read
 * again.
 */
export function joinEnquiry(
  last: StoredEnquiry,
  next: StoredEnquiry,
  { replaces }: { replaces: boolean },
): StoredEnquiry | null {
  if (!isSame(last, next)) return null
  return replaces && isOfOne(last, next) ? { ...next, id: last.id!, is_repeat: last.is_repeat } : joined(last, next)
}

/** Whether the last enquiry is of the delivery that is read again, and of no other. */
const isOfOne = ({ at, last_at }: StoredEnquiry, next: StoredEnquiry) =>
  at.getTime() === next.at.getTime() && last_at.getTime() === next.at.getTime()

/** In characters. The notes of the lead have the rest. */
const maxMessage = 2000
export const cutMessage = (message: string) => message.slice(0, maxMessage).toWellFormed()

/** In milliseconds. A form that is sent twice and messages in a row are one enquiry. */
export const pause = 10 * 60_000

/** Whether both are one enquiry: of one sender within ten minutes, or the same from another. */
const isSame = (last: StoredEnquiry, next: StoredEnquiry) =>
  isNear(last, next.at) && (isOfSender(last, next) || addsNothing(last, next))

/** Whether less than the pause is between the enquiry and this time. */
export const isNear = ({ at, last_at }: StoredEnquiry, time: Date) =>
  time.getTime() >= at.getTime() - pause && time.getTime() <= last_at.getTime() + pause

export const isOfSender = (enquiry: StoredEnquiry, { via, via_id }: Pick<StoredEnquiry, 'via' | 'via_id'>) =>
  enquiry.via === via && enquiry.via_id === via_id

/** Whether the last enquiry has the message and the answers of the next one. */
export function addsNothing(last: StoredEnquiry, next: StoredEnquiry): boolean {
  const isMessageKnown = next.message === null || last.message?.includes(next.message) === true
  return isMessageKnown && next.answers.every((one) => isAmong(last.answers, one))
}

/** Whether it also has its origin and its consent. */
export const isKnown = (last: StoredEnquiry, next: StoredEnquiry) =>
  addsNothing(last, next) &&
  Object.entries(next.origin).every(([part, value]) => last.origin[part as keyof Origin] === value) &&
  (next.consent === null || JSON.stringify(joinConsent(last.consent, next.consent)) === JSON.stringify(last.consent))

const isAmong = (answers: EnquiryDraft['answers'], { question, answer }: EnquiryDraft['answers'][number]) =>
  answers.some((one) => one.question === question && one.answer === answer)

function joined(last: StoredEnquiry, next: StoredEnquiry): StoredEnquiry {
  const isMessageKnown = next.message === null || last.message?.includes(next.message) === true
  const draft = fitEnquiry({
    origin: { ...next.origin, ...last.origin },
    answers: [...last.answers, ...next.answers.filter((one) => !isAmong(last.answers, one))],
    consent: joinConsent(last.consent, next.consent),
    omitted: last.omitted + next.omitted,
  })
  return {
    ...last,
    ...draft,
    at: last.at < next.at ? last.at : next.at,
    last_at: last.last_at > next.at ? last.last_at : next.at,
    message: isMessageKnown ? last.message : cutMessage([last.message, next.message].filter(Boolean).join('\n')),
  }
}

/** Adds to a consent the statements that are new. */
export function joinConsent(last: EnquiryDraft['consent'], next: EnquiryDraft['consent']): EnquiryDraft['consent'] {
  if (!last || !next) return last ?? next
  const isKnown = (one: (typeof next.statements)[number]) =>
    last.statements.some(({ text, choice }) => text === one.text && choice === one.choice)
  const statements = [...last.statements, ...next.statements.filter((one) => !isKnown(one))]
  return { ...next, ...last, statements }
}

/** In characters: lists are filtered by these, and indexes have no room for more. */
const maxKept = 200

/** What a lead keeps of the first enquiry that names it. */
export function keptOf({ product, campaign, utm_campaign, campaign_id, ad, ad_id, form, form_id }: Origin) {
  const cut = (text: string | undefined) => text?.slice(0, maxKept).toWellFormed().trim() || null
  return {
    product: cut(product),
    campaign: cut(campaign ?? utm_campaign ?? campaign_id),
    ad: cut(ad ?? ad_id),
    form: cut(form ?? form_id),
  }
}

/** An enquiry as the functions `write_leads` and `record_enquiry` of the database take it. */
export const enquiryRow = (enquiry: StoredEnquiry) => ({ ...enquiry, ...keptOf(enquiry.origin) })

/** An enquiry as the database writes it in JSON. */
export type EnquiryJson = Omit<StoredEnquiry, 'at' | 'last_at'> & { at: string; last_at: string }

export const fromJson = (row: EnquiryJson): StoredEnquiry => ({
  ...row,
  at: new Date(row.at),
  last_at: new Date(row.last_at),
})
