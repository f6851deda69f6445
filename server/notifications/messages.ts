import type { Email } from '../mail/email.ts'
import type { PushMessage } from './contract.ts'
import type { NoticeKind } from './next-step.ts'

export interface NotedLead {
  lead_id: string
  name: string
  /** Of a bulk change: how many leads it is one of. */
  leads?: number
}

/** Of a lead nothing but its name: a push message passes through the servers of a browser's maker. */
export function pushMessage(kind: NoticeKind, leads: NotedLead[]): PushMessage {
  const different = eachOnce(leads)
  const [first] = different
  const count = countOf(different)
  const one = count === 1
  return {
    title: titleOf(kind, kind === 'missed_call' ? leads.length : count),
    body: one ? first!.name : `${first!.name} and ${count - 1} more`,
    path: kind === 'assigned_in_bulk' ? '/leads' : pathOf(kind, different),
    tag: one ? `${kind} ${first!.lead_id}` : kind,
  }
}

export const testMessage = (id: string): PushMessage => ({
  title: 'Test notification',
  body: 'Notifications reach this device.',
  path: '/profile',
  tag: 'test',
  test: id,
})

function pathOf(kind: NoticeKind, [first, ...others]: NotedLead[]): string {
  if (kind === 'missed_call') return '/queue'
  // Its owner before may not see the lead.
  if (kind === 'passed_on') return '/leads'
  if (others.length === 0) return `/leads/${first!.lead_id}`
  return isOfPromise(kind) ? '/today' : '/leads'
}

const isOfPromise = (kind: NoticeKind) => kind === 'call_due' || kind === 'call_overdue'

const countOf = (leads: NotedLead[]) => leads.reduce((sum, { leads: of = 1 }) => sum + of, 0)

/** A lead may have called several times. */
const eachOnce = (leads: NotedLead[]) => [...new Map(leads.map((lead) => [lead.lead_id, lead])).values()]

function titleOf(kind: NoticeKind, count: number): string {
  if (kind === 'missed_call') return count === 1 ? 'Missed call' : `${count} missed calls`
  if (isOfPromise(kind)) {
    const word = kind === 'call_due' ? 'due' : 'overdue'
    return count === 1 ? `Call ${word}` : `${count} calls ${word}`
  }
  if (kind === 'passed_on')
    return count === 1 ? 'Lead passed on to a colleague' : `${count} leads passed on to colleagues`
  if (kind === 'submission') return count === 1 ? 'New note from a colleague' : `${count} new notes from colleagues`
  if (kind === 'enquired_again') return count === 1 ? 'Enquired again' : `${count} leads enquired again`
  const leads = count === 1 ? 'lead' : 'leads'
  if (kind === 'assigned_in_bulk') return `${count} leads were assigned to you`
  if (kind === 'assigned') return count === 1 ? 'New lead' : `${count} new leads`
  return `${count === 1 ? 'A' : count} ${leads} not called yet${kind === 'uncalled_in_team' ? ' in your team' : ''}`
}

const maxNamed = 20

export function noticeEmail(kind: NoticeKind, leads: NotedLead[], to: Recipient, baseUrl: string): Email {
  const { title, path } = pushMessage(kind, leads)
  const different = eachOnce(leads)
  const named = different.slice(0, maxNamed).map(({ name }) => name)
  const rest = countOf(different) - named.length
  const more = rest > 0 ? [`and ${rest} more.`] : []
  const lead =
    countOf(different) === 1 && kind !== 'passed_on'
      ? 'Open the lead'
      : isOfPromise(kind)
        ? 'Open Today'
        : 'Open the leads'
  return {
    to: to.email,
    subject: countOf(different) === 1 ? `${title}: ${named[0]}` : title,
    before: [`Hello ${to.name},`, `${title}: ${named.join(', ')}.`, ...more],
    link: { label: kind === 'missed_call' ? 'Open Call next' : lead, url: new URL(path, baseUrl).href },
    after: [howToChange],
  }
}

interface Recipient {
  email: string
  name: string
}

export interface DigestFigures {
  /** The IST day that it is about. */
  day: string
  leads: number
  uncalled: number
  calls: number
  missed: number
  owners: { name: string; leads: number; uncalled: number }[]
  /** By who called or answered. `connected`: there was a conversation. `seconds`: talk time. */
  callers: { name: string; calls: number; connected: number; seconds: number }[]
  /** By the owner of the lead. `waiting`: not called back until now. */
  callbacks: { name: string; missed: number; waiting: number }[]
}

export function digestEmail(
  { day, leads, uncalled, calls, missed, owners, callers, callbacks }: DigestFigures,
  to: Recipient,
  baseUrl: string,
): Email {
  return {
    to: to.email,
    subject: `${day}: ${leads} new ${leads === 1 ? 'lead' : 'leads'}, ${uncalled} not called`,
    before: [
      `Hello ${to.name},`,
      `These are the leads and calls of ${day}.`,
      list(
        `New leads: ${leads}, not called yet: ${uncalled}`,
        owners.map((owner) => `${owner.name}: ${owner.leads} new, ${owner.uncalled} not called`),
      ),
      list(
        `Calls: ${calls}, missed: ${missed}`,
        callers.map(
          (caller) =>
            `${caller.name}: ${caller.calls} ${caller.calls === 1 ? 'call' : 'calls'}, ${caller.connected} connected, ` +
            `talk time ${talkTime(caller.seconds)}`,
        ),
      ),
      ...(callbacks.length > 0
        ? [
            list(
              'Missed calls by owner:',
              callbacks.map((owner) => `${owner.name}: ${owner.missed} missed, ${owner.waiting} not called back`),
            ),
          ]
        : []),
    ],
    link: { label: 'Open the overview', url: new URL('/overview', baseUrl).href },
    after: [howToChange],
  }
}

const list = (title: string, lines: string[]) => [title, ...lines].join('\n')

/** In minutes that began: `1 h 12 min`. */
function talkTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

export function webhookEmail(
  kind: 'silent' | 'rejecting',
  webhook: { webhook_id: string; name: string },
  to: Recipient,
  baseUrl: string,
): Email {
  const said =
    kind === 'silent'
      ? `The webhook ${webhook.name} has had no deliveries for five times its usual interval.`
      : `The last deliveries of the webhook ${webhook.name} were rejected.`
  return {
    to: to.email,
    subject: kind === 'silent' ? `No deliveries: ${webhook.name}` : `Rejected deliveries: ${webhook.name}`,
    before: [`Hello ${to.name},`, said],
    link: { label: 'Open the webhook', url: new URL(`/settings/webhooks/${webhook.webhook_id}`, baseUrl).href },
    after: ['Leads may be missing until this is fixed.'],
  }
}

const howToChange = 'You can change your notifications in your profile.'
