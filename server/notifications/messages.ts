import type { Email } from '../mail/email.ts'
import type { PushMessage } from './contract.ts'
import type { NoticeKind } from './next-step.ts'

export interface NotedLead {
  lead_id: string
  name: string
}

/** Of a lead nothing but its name: a push message passes through the servers of a browser's maker. */
export function pushMessage(kind: NoticeKind, leads: NotedLead[]): PushMessage {
  const [first] = leads
  const one = leads.length === 1
  return {
    title: titleOf(kind, leads.length),
    body: one ? first!.name : `${first!.name} and ${leads.length - 1} more`,
    path: one ? `/leads/${first!.lead_id}` : '/leads',
    tag: one ? `${kind} ${first!.lead_id}` : kind,
  }
}

function titleOf(kind: NoticeKind, count: number): string {
  const leads = count === 1 ? 'lead' : 'leads'
  if (kind === 'assigned') return count === 1 ? 'New lead' : `${count} new leads`
  return `${count === 1 ? 'A' : count} ${leads} not called yet${kind === 'uncalled_in_team' ? ' in your team' : ''}`
}

const maxNamed = 20

export function noticeEmail(kind: NoticeKind, leads: NotedLead[], to: Recipient, baseUrl: string): Email {
  const { title, path } = pushMessage(kind, leads)
  const named = leads.slice(0, maxNamed).map(({ name }) => name)
  const more = leads.length > maxNamed ? [`and ${leads.length - maxNamed} more.`] : []
  return {
    to: to.email,
    subject: leads.length === 1 ? `${title}: ${leads[0]!.name}` : title,
    before: [`Hello ${to.name},`, `${title}: ${named.join(', ')}.`, ...more],
    link: { label: leads.length === 1 ? 'Open the lead' : 'Open the leads', url: new URL(path, baseUrl).href },
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
}

export function digestEmail(
  { day, leads, uncalled, calls, missed, owners }: DigestFigures,
  to: Recipient,
  baseUrl: string,
): Email {
  return {
    to: to.email,
    subject: `${day}: ${leads} new ${leads === 1 ? 'lead' : 'leads'}, ${uncalled} not called`,
    before: [
      `Hello ${to.name},`,
      `These are the leads and calls of ${day}.`,
      `New leads: ${leads}, not called yet: ${uncalled}`,
      `Calls: ${calls}, missed: ${missed}`,
      ...owners.map((owner) => `${owner.name}: ${owner.leads} new, ${owner.uncalled} not called`),
    ],
    link: { label: 'Open the overview', url: new URL('/overview', baseUrl).href },
    after: [howToChange],
  }
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

const howToChange = 'You can change in your profile what you are notified of.'
