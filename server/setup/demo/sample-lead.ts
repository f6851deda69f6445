import { everyText, isClosed, type LeadPriority, type LeadStatus } from '../../crm/leads/fields.ts'
import type { LeadFields } from '../../crm/leads/lead.ts'
import { istDay, wholeSecond } from '../../platform/http/instants.ts'
import type { Owner, OwnerOf } from './assignees.ts'
import { around, type Chances, chances, draw, pickOne, type Random, wholeBetween } from './chance.ts'
import { type FollowUp, followUp, noFollowUp } from './follow-up.ts'
import { noteFrom, sampleCalls } from './sample-call.ts'
import { type FirstEnquiry, sampleEnquiry } from './sample-enquiry.ts'
import { samplePerson } from './sample-person.ts'
import { leadNotes } from './words.ts'

export interface SampleLead extends LeadFields, FollowUp {
  phone_key: string | null
  email_key: string | null
  created_at: Date
  updated_at: Date
  /** A day. */
  expected_close: string | null
  /** The last status of a lead that is closed now. */
  status_before_close: LeadStatus | null
  /** A second phone, as it is compared. */
  other_phone: string | null
  rule: Owner['rule']
  /** What it sent first. Null: it came by phone or in person. */
  enquiry: FirstEnquiry | null
}

interface Source {
  name: string
  tags: string[]
  /** The usual deal value, in rupees. */
  usualDeal: number
  /** The share of its leads with an email. */
  withEmail: number
  /** Whether leads of this source usually call first. */
  callsIn?: boolean
}

const sources = chances<Source>([
  [{ name: 'Meta', tags: ['facebook', 'instagram', 'lead-ad'], usualDeal: 45_000, withEmail: 0.7 }, 20],
  [{ name: 'Google Ads', tags: ['search', 'landing-page', 'brand'], usualDeal: 60_000, withEmail: 0.75 }, 14],
  [{ name: 'IndiaMART', tags: ['b2b', 'bulk', 'quotation'], usualDeal: 150_000, withEmail: 0.8 }, 13],
  [{ name: 'Website', tags: ['contact-form', 'brochure', 'newsletter'], usualDeal: 70_000, withEmail: 0.95 }, 11],
  [{ name: 'JustDial', tags: ['local', 'enquiry'], usualDeal: 30_000, withEmail: 0.3 }, 9],
  [{ name: 'WhatsApp', tags: ['chat', 'catalogue'], usualDeal: 25_000, withEmail: 0.15 }, 8],
  [{ name: 'IVR', tags: ['call-back', 'toll-free'], usualDeal: 40_000, withEmail: 0.1, callsIn: true }, 7],
  [{ name: 'Referral', tags: ['customer', 'partner'], usualDeal: 120_000, withEmail: 0.6 }, 6],
  [{ name: '99acres', tags: ['property', 'site-visit', '2bhk', '3bhk'], usualDeal: 6_500_000, withEmail: 0.7 }, 4],
  [{ name: 'MagicBricks', tags: ['property', 'rental', 'site-visit'], usualDeal: 5_500_000, withEmail: 0.7 }, 3],
  [{ name: 'TradeIndia', tags: ['b2b', 'export', 'quotation'], usualDeal: 200_000, withEmail: 0.85 }, 3],
  [{ name: 'Exhibition', tags: ['stall', 'visiting-card'], usualDeal: 180_000, withEmail: 0.6 }, 2],
])

const statuses = ['New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost'] as const
const byAge = (...weights: number[]) => chances<LeadStatus>(statuses.map((status, index) => [status, weights[index]!]))

/** The probable status of a lead by its age. */
const statusAfter: (readonly [days: number, Chances<LeadStatus>])[] = [
  [1, byAge(72, 21, 5, 1, 0.5, 0.5)],
  [4, byAge(34, 36, 15, 6, 2, 7)],
  [14, byAge(11, 30, 22, 14, 8, 15)],
  [45, byAge(4, 17, 18, 16, 18, 27)],
  [Number.POSITIVE_INFINITY, byAge(1.5, 7, 9, 9, 27.5, 46)],
]

const priorities = chances<LeadPriority>([
  ['Low', 24],
  ['Medium', 54],
  ['High', 22],
])

interface Setting {
  serial: number
  created_at: Date
  now: Date
  ownerOf: OwnerOf
  /** Whether users follow up their leads. If not, a third as many calls as leads is all that happened. */
  followsUp: boolean
  random: Random
}

/** Returns an invented lead that was created at `created_at`, as it is `now`. */
export function sampleLead({ serial, created_at, now, ownerOf, followsUp, random }: Setting): SampleLead {
  const person = samplePerson(serial, random)
  const source = draw(sources, random)
  const callsIn = source.callsIn ?? false
  const drawn = statusAt(created_at, now, random)
  const follow = followsUp
    ? followUp({ created_at, now, status: drawn, source: source.name, callsIn, random })
    : { ...noFollowUp, calls: sampleCalls(created_at, now, callsIn, random) }
  const talked = follow.calls.some((call) => call.outcome === 'Completed')
  const status = drawn === 'New' && talked ? 'Contacted' : drawn
  const hasEmail = random() < source.withEmail
  const hasPhone = !hasEmail || follow.calls.length > 0 || callsIn || random() < 0.93
  const city = random() < 0.85 ? person.city : null
  const enquiry = sampleEnquiry(source.name, random)
  const owner = ownerOf({ source: source.name, city, status, created_at, enquiry })
  const notes = [random() < 0.35 ? noteFrom(leadNotes, random) : null, follow.repeat?.message].filter(Boolean)
  return {
    name: person.name,
    email: hasEmail ? person.email : null,
    email_key: hasEmail ? person.email_key : null,
    phone: hasPhone ? person.phone : null,
    phone_key: hasPhone ? person.phone_key : null,
    other_phone: followsUp && hasPhone && random() < 0.05 ? person.other_phone : null,
    ...everyText(() => null),
    company: random() < 0.45 ? person.company : null,
    city,
    source: source.name,
    status,
    status_before_close: statusBeforeClose(status, follow),
    priority: source.name === 'Referral' && random() < 0.4 ? 'High' : draw(priorities, random),
    tags: tagsOf(source, random),
    deal_value: random() < shareWithValue[status] ? dealValue(source, random) : null,
    notes: notes.join('\n') || null,
    assigned_to: owner.id,
    rule: owner.rule,
    enquiry,
    created_at,
    expected_close: expectedClose(status, now, random),
    updated_at: status === 'New' && !follow.repeat ? created_at : updatedAt(created_at, follow, now, random),
    ...follow,
  }
}

const shareWithValue = { New: 0.3, Contacted: 0.6, Qualified: 0.8, Proposal: 1, Won: 1, Lost: 0.75 }

function statusAt(created_at: Date, now: Date, random: Random): LeadStatus {
  const days = (now.getTime() - created_at.getTime()) / 86_400_000
  return draw(statusAfter.find(([upTo]) => days < upTo)![1], random)
}

/** Owners of advanced leads mostly say when they expect to win them; some of these days have passed. */
function expectedClose(status: LeadStatus, now: Date, random: Random): string | null {
  if ((status !== 'Qualified' && status !== 'Proposal') || random() < 0.35) return null
  return istDay(new Date(now.getTime() + wholeBetween(-6, 75, random) * 86_400_000))
}

/** Most leads are lost at the price, or without a conversation. */
function statusBeforeClose(status: LeadStatus, { calls, lost_reason }: FollowUp): LeadStatus | null {
  if (!isClosed(status)) return null
  if (status === 'Won' || lost_reason === 'Too expensive') return 'Proposal'
  const talks = calls.filter(({ outcome }) => outcome === 'Completed').length
  return talks === 0 ? 'New' : talks === 1 ? 'Contacted' : 'Qualified'
}

function tagsOf({ tags }: Source, random: Random): string[] {
  const roll = random()
  if (roll < 0.35) return []
  const first = pickOne(tags, random)
  const second = roll < 0.8 ? first : pickOne(tags, random)
  return first === second ? [first] : [first, second]
}

/** Rounds to two significant digits, as people name a price. */
function dealValue({ usualDeal }: Source, random: Random): number {
  const value = Math.min(Math.max(around(usualDeal, 0.8, random), 1000), 500_000_000)
  return Number(value.toPrecision(2))
}

/** Returns the last update: after the last call, and mostly within days of the creation. */
function updatedAt(created_at: Date, { calls, repeat }: FollowUp, now: Date, random: Random): Date {
  const from = Math.max((calls.at(-1)?.created_at ?? created_at).getTime(), repeat?.at.getTime() ?? 0)
  const until = Math.min(from + around(86_400_000, 1.2, random), now.getTime())
  return wholeSecond(new Date(Math.max(until, from)))
}
