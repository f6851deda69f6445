import { t } from '@lingui/core/macro'
import { IconLanguage, IconPhone, IconPhonePlus, IconPhoneX, IconThumbDown } from '@tabler/icons-react'
import type { LeadChange } from '#contract/crm/leads'
import type { CallOutcome, CallType } from '#contract/telephony/calls'
import { formatPhone, phoneUrl } from '../../crm/contacts/phone.ts'
import { callOutcomeLooks } from './CallBadges.tsx'
import type { Choice } from './ChoiceRow.tsx'
import type { CallDraft } from './call-draft.ts'
import { callOutcomeNames, wrongNumber } from './call-words.ts'
import { noStepReasons } from './NextStepField.tsx'
import { answeredResultsOf, type Chosen, type Result, resultsOf } from './results.ts'

/** The questions of the form, of which each answer is one press. */

const ofOutcome = (outcome: CallOutcome) => ({ label: callOutcomeNames[outcome], icon: callOutcomeLooks[outcome].icon })

/** Also a lost reason that accounts have at first, in English. */
const notInterested = t`Not interested`

export const resultLooks: Record<Result, Pick<Choice, 'label' | 'icon'>> = {
  spoke: ofOutcome('Completed'),
  no_answer: ofOutcome('No Answer'),
  missed: ofOutcome('Missed'),
  busy: ofOutcome('Busy'),
  voicemail: ofOutcome('Voicemail'),
  not_interested: { label: notInterested, icon: IconThumbDown },
  wrong_number: { label: wrongNumber, icon: IconPhoneX },
  other_language: { label: t`Other language`, icon: IconLanguage },
  dropped: { label: t`Call dropped`, icon: IconPhonePlus },
}

/** Tags of leads, with their names on the page. */
const languages = {
  Hindi: t`Hindi`,
  English: t`English`,
  Marathi: t`Marathi`,
  Gujarati: t`Gujarati`,
  Bengali: t`Bengali`,
  Tamil: t`Tamil`,
  Telugu: t`Telugu`,
  Kannada: t`Kannada`,
  Malayalam: t`Malayalam`,
  Punjabi: t`Punjabi`,
  Urdu: t`Urdu`,
  Odia: t`Odia`,
} as const

export interface Answer extends Partial<Pick<Chosen, 'lost_reason' | 'language' | 'number'>> {
  /** The colleague who gets the lead; empty: it stays with the user. */
  colleague?: string
  /** What it sets in the form. */
  draft?: Partial<CallDraft>
  /** What is changed of the lead after the call is logged, and how that is undone. */
  change?: LeadChange
  undo?: LeadChange
}

/** Returns an answer together with those before it. */
export const withAnswer = (before: Answer, { draft, change, undo, ...more }: Answer): Answer => ({
  ...before,
  ...more,
  draft: { ...before.draft, ...draft },
  change: { ...before.change, ...change },
  undo: { ...before.undo, ...undo },
})

export type Question =
  | 'result'
  | 'language'
  | 'colleague'
  | 'number'
  | 'next_step'
  | 'reason'
  | 'own_reason'
  | 'lost_reason'

interface Known {
  type: CallType
  /** Its telephone system reports that it was answered. */
  isAnswered: boolean
  /** Days after today. */
  days: { label: string; at: string }[]
  lost_reasons: string[]
  /** The lead’s number that was called, and its other ones. */
  phone: string
  otherPhones: string[]
  /** Users who may get the lead. */
  colleagues: { name: string; email: string }[]
  owner: string | null
  /** A time in some minutes. */
  soon: string
}

interface Acts {
  choose(result: Result, byKey: boolean): void
  answer(answer: Answer, byKey: boolean): void
  ask(question: Question): void
}

/** Returns the account’s reason for a lead that is not interested; empty if it has no reasons, null if it is to be asked. */
export function notInterestedReason(lost_reasons: readonly string[]): string | null {
  const names = ['Not interested', notInterested].map((name) => name.toLowerCase())
  return lost_reasons.length === 0 ? '' : (lost_reasons.find((reason) => names.includes(reason.toLowerCase())) ?? null)
}

/** Returns a question and its answers. */
export function questionOf(question: Question, known: Known, acts: Acts): { legend: string; choices: Choice[] } {
  const answers = (given: readonly (Omit<Choice, 'act'> & { answer: Answer })[]) =>
    given.map(({ answer, ...choice }) => ({ ...choice, act: (byKey = false) => acts.answer(answer, byKey) }))
  const leadTo = (label: string, next: Question): Choice => ({ value: next, label, act: () => acts.ask(next) })
  const { type, isAnswered, days, lost_reasons, phone, otherPhones, colleagues, owner, soon } = known
  switch (question) {
    case 'result':
      return {
        legend: t`Outcome: saves the call`,
        choices: (isAnswered ? answeredResultsOf : resultsOf)[type].map((result) => ({
          value: result,
          ...resultLooks[result],
          act: (byKey = false) => acts.choose(result, byKey),
        })),
      }
    case 'language':
      return {
        legend: t`Which language do they speak?`,
        choices: answers(
          Object.entries(languages).map(([language, label]) => ({
            value: language,
            label,
            answer: { language, change: { add_tags: [language] }, undo: { remove_tags: [language] } },
          })),
        ),
      }
    case 'colleague':
      return {
        legend: t`Give the lead to a colleague?`,
        choices: answers([
          { value: '', label: t`No, I keep it`, answer: { colleague: '' } },
          ...colleagues.map(({ name, email }) => ({
            value: email,
            label: name,
            answer: {
              colleague: email,
              draft: { call_again_at: soon },
              change: { assigned_to: email },
              undo: { assigned_to: owner },
            },
          })),
        ]),
      }
    case 'number':
      return {
        legend: t`Wrong number: saves the call`,
        choices: answers([
          ...otherPhones.map((next) => ({
            value: next,
            label: t`Call ${{ number: formatPhone(next) }}`,
            icon: IconPhone,
            href: phoneUrl(next),
            answer: {
              number: next,
              // The next number is the first one from now on.
              change: { phone: next, add_contacts: [phone], remove_contacts: [next] },
              undo: { phone, add_contacts: [next], remove_contacts: [phone] },
            },
          })),
          { value: 'none', label: t`Do not call another`, answer: { number: 'none' } },
        ]),
      }
    case 'next_step':
      return {
        legend: t`Next step: saves the call`,
        choices: [
          ...answers(days.map(({ label, at }) => ({ value: at, label, answer: { draft: { call_again_at: at } } }))),
          leadTo(t`None, because…`, 'reason'),
        ],
      }
    case 'reason':
      return {
        legend: t`No next step, because: saves the call`,
        choices: [
          ...answers(
            noStepReasons.map((reason) => ({
              value: reason,
              label: reason,
              answer: { draft: { no_next_step: reason } },
            })),
          ),
          leadTo(t`Another reason…`, 'own_reason'),
        ],
      }
    case 'lost_reason':
      return {
        legend: t`Lost, because: saves the call`,
        choices: answers([
          ...lost_reasons.map((reason) => ({ value: reason, label: reason, answer: { lost_reason: reason } })),
          { value: '', label: t`Without a reason`, answer: { lost_reason: '' } },
        ]),
      }
    // Typed.
    case 'own_reason':
      return { legend: t`Why there is no next step`, choices: [] }
  }
}
