import { msg, plural } from '@lingui/core/runtime-macro'
import { type EnquiryPreview, enquiryLine } from '../../crm/enquiries/contract.ts'
import { unseenLead } from '../../crm/leads/unseen-lead.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { Email } from '../../platform/mail/email.ts'
import type { PushMessage } from './contract.ts'
import { type MessageKind, messages } from './kinds.ts'

export interface NotedLead {
  lead_id: string
  name: string
  enquiry?: EnquiryPreview | null
  /** How many leads the bulk change gave to the user. */
  leads?: number
}

/**
 * Says the name of a lead, and its product and first answer: push messages are encrypted for one browser (RFC 8291), but are shown on
 * locked devices.
 */
export function pushMessage(kind: MessageKind, leads: NotedLead[], language: Language | null): PushMessage {
  const different = eachOnce(leads)
  const first = different[0]!
  const lines = linesOf(kind, first)
  const count = countOf(different)
  const one = count === 1
  const { title, countsAll = false } = messages[kind]
  return {
    title: translate(title(countsAll ? leads.length : count), language),
    body: one ? lines.join('\n') : translate(msg`${{ name: lines[0]! }} and ${{ count: count - 1 }} more`, language),
    path: pathOf(kind, different),
    tag: one ? `${kind} ${first.lead_id}` : kind,
  }
}

export const testMessage = (id: string, language: Language | null): PushMessage => ({
  title: translate(msg`Test notification`, language),
  body: translate(msg`Notifications reach this device.`, language),
  path: '/profile',
  tag: 'test',
  test: id,
})

/** Without the lead, where one is not enough or its page is not for the user. */
function pathOf(kind: MessageKind, [first, ...others]: NotedLead[]): string {
  const { page, opensList = false } = messages[kind]
  return opensList || others.length > 0 ? page : `/leads/${first!.lead_id}`
}

const countOf = (leads: NotedLead[]) => leads.reduce((sum, { leads: of = 1 }) => sum + of, 0)

/** What is said of a lead. */
export function shownLead(kind: MessageKind, { name, enquiry = null }: Pick<NotedLead, 'name' | 'enquiry'>) {
  const { isUnseen = false, hasEnquiry = false } = messages[kind]
  const shown = hasEnquiry ? enquiry : null
  if (!isUnseen) return { name, enquiry: shown }
  const unseen = unseenLead({ name, product: shown?.product ?? null, source: null, city: null })
  return { name: unseen.name, enquiry: shown && { ...nothingAsked, at: shown.at, product: unseen.product } }
}

const nothingAsked = { message: null, campaign: null, page_url: null, answers: [], more: 0, do_not_call: null }

/** The name, and what the lead asked for: its product and first answer. */
function linesOf(kind: MessageKind, lead: NotedLead): string[] {
  const { name, enquiry } = shownLead(kind, lead)
  const wanted = enquiry && enquiryLine({ ...enquiry, message: null })
  return wanted ? [name, wanted] : [name]
}

/** A lead may have called several times. */
const eachOnce = (leads: NotedLead[]) => [...new Map(leads.map((lead) => [lead.lead_id, lead])).values()]

const maxNamed = 20

export function noticeEmail(kind: MessageKind, leads: NotedLead[], to: Recipient, baseUrl: string): Email {
  const { title, path } = pushMessage(kind, leads, to.language)
  const say = (text: Text) => translate(text, to.language)
  const different = eachOnce(leads)
  const count = countOf(different)
  const named = different.slice(0, maxNamed).map((lead) => linesOf(kind, lead))
  const rest = count - named.length
  const [name, ...wanted] = named[0]!
  return {
    to: to.email,
    language: to.language,
    subject: count === 1 ? `${title}: ${name}` : title,
    before: [
      say(hello(to)),
      ...(count === 1
        ? [say(msg`${{ title }}: ${{ names: name! }}.`), ...wanted]
        : [
            list(
              say(msg`${{ title }}:`),
              named.map((lines) => lines.join(' · ')),
            ),
          ]),
      ...(rest > 0 ? [say(msg`and ${{ count: rest }} more.`)] : []),
    ],
    link: { label: say(linkLabel(path)), url: new URL(path, baseUrl).href },
    after: [say(howToChange)],
  }
}

function linkLabel(path: string): Text {
  if (path === '/queue') return msg`Open Call next`
  if (path === '/today') return msg`Open Today`
  return path === '/leads' ? msg`Open the leads` : msg`Open the lead`
}

export interface Recipient {
  email: string
  name: string
  /** Null: none was chosen. */
  language: Language | null
}

export const hello = ({ name }: Recipient) => msg`Hello ${{ name }},`

export interface DigestFigures {
  /** The IST day that it is about. */
  day: string
  leads: number
  uncalled: number
  calls: number
  missed: number
  /** A lead without an owner has the name null. */
  owners: { name: string | null; leads: number; uncalled: number }[]
  /** By who called or answered. `connected`: there was a conversation. `seconds`: talk time. */
  callers: { name: string; calls: number; connected: number; seconds: number }[]
  /** By the owner of the lead. `waiting`: not called back until now. */
  callbacks: { name: string | null; missed: number; waiting: number }[]
}

export function digestEmail(
  { day, leads, uncalled, calls, missed, owners, callers, callbacks }: DigestFigures,
  to: Recipient,
  baseUrl: string,
): Email {
  const say = (text: Text) => translate(text, to.language)
  const ownerName = (name: string | null) => name ?? msg`Unassigned`
  const date = dayText(day, to.language)
  return {
    to: to.email,
    language: to.language,
    subject: say(
      msg`${{ date }}: ${plural({ leads }, { one: '{leads} new lead', other: '{leads} new leads' })}, ${{ uncalled }} not called`,
    ),
    before: [
      say(hello(to)),
      say(msg`These are the leads and calls of ${{ date }}.`),
      list(
        say(msg`New leads: ${{ leads }}, not called yet: ${{ uncalled }}`),
        owners.map(({ name, leads, uncalled }) =>
          say(msg`${{ name: ownerName(name) }}: ${{ leads }} new, ${{ uncalled }} not called`),
        ),
      ),
      list(
        say(msg`Calls: ${{ calls }}, missed: ${{ missed }}`),
        callers.map(({ name, calls, connected, seconds }) =>
          say(
            msg`${{ name }}: ${plural({ calls }, { one: '{calls} call', other: '{calls} calls' })}, ${{ connected }} connected, talk time ${{ time: talkTime(seconds) }}`,
          ),
        ),
      ),
      ...(callbacks.length > 0
        ? [
            list(
              say(msg`Missed calls by owner:`),
              callbacks.map(({ name, missed, waiting }) =>
                say(msg`${{ name: ownerName(name) }}: ${{ missed }} missed, ${{ waiting }} not called back`),
              ),
            ),
          ]
        : []),
    ],
    link: { label: say(msg`Open the overview`), url: new URL('/overview', baseUrl).href },
    after: [say(howToChange)],
  }
}

/** In English, as the API writes it. */
function dayText(day: string, language: Language | null): string {
  if (language === null || language === 'en') return day
  return new Intl.DateTimeFormat(`${language}-IN`, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

const list = (title: string, lines: string[]) => [title, ...lines].join('\n')

/** In minutes that began: `1 h 12 min`. */
function talkTime(seconds: number): Text {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? msg`${{ hours }} h ${{ minutes: minutes % 60 }} min` : msg`${{ value: minutes }} min`
}

export function webhookEmail(
  kind: 'silent' | 'rejecting',
  webhook: { webhook_id: string; name: string },
  to: Recipient,
  baseUrl: string,
): Email {
  const say = (text: Text) => translate(text, to.language)
  const { name } = webhook
  const [subject, said] =
    kind === 'silent'
      ? [
          msg`No deliveries: ${{ name }}`,
          msg`The webhook ${{ name }} has had no deliveries for five times its usual interval.`,
        ]
      : [msg`Rejected deliveries: ${{ name }}`, msg`The last deliveries of the webhook ${{ name }} were rejected.`]
  return {
    to: to.email,
    language: to.language,
    subject: say(subject),
    before: [say(hello(to)), say(said)],
    link: { label: say(msg`Open the webhook`), url: new URL(`/settings/webhooks/${webhook.webhook_id}`, baseUrl).href },
    after: [say(msg`Leads may be missing until this is fixed.`)],
  }
}

export const howToChange = msg`You can change your notifications in your profile.`
