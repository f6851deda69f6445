import type { Role } from '../../server/access/account/contract.ts'
import { createUser } from '../../server/access/account/store.ts'
import { setPassword } from '../../server/access/sign-in/credentials.ts'
import { generatePassword } from '../../server/access/sign-in/password.ts'
import { addAbsence } from '../../server/crm/availability/store.ts'
import { addRule } from '../../server/crm/distribution/store.ts'
import { saveCost } from '../../server/insight/reports/origin-costs.ts'
import { createWebhook } from '../../server/intake/webhooks/store.ts'
import { type Actor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { istDay } from '../../server/platform/http/instants.ts'
import { addReply } from '../../server/telephony/quick-replies/store.ts'

interface Colleague {
  name: string
  role: Role
  team: string
}

const colleagues = [
  { name: 'Neha Kulkarni', role: 'Manager', team: 'Pune' },
  { name: 'Rohit Patil', role: 'Agent', team: 'Pune' },
  { name: 'Sneha Deshmukh', role: 'Agent', team: 'Pune' },
  { name: 'Imran Shaikh', role: 'Agent', team: 'Mumbai' },
  { name: 'Pooja Mehta', role: 'Agent', team: 'Mumbai' },
] as const satisfies Colleague[]
type Name = (typeof colleagues)[number]['name']

const onLeave: Name = 'Pooja Mehta'
const leaveDays = 3

/** The first rule that matches a lead applies. */
const rules: {
  name: string
  cities?: string[]
  sources?: string[]
  campaigns?: string[]
  people: Partial<Record<Name, number>>
  pass_on_after: number | null
}[] = [
  {
    name: 'Property portals',
    sources: ['99acres', 'MagicBricks'],
    people: { 'Imran Shaikh': 1 },
    pass_on_after: null,
  },
  {
    name: 'Kitchens in Pune',
    campaigns: ['Modular kitchen – Pune'],
    people: { 'Rohit Patil': 1, 'Sneha Deshmukh': 1 },
    pass_on_after: 15,
  },
  {
    name: 'Maharashtra',
    cities: ['Pune', 'Nashik', 'Kolhapur', 'Solapur', 'Nagpur', 'Aurangabad'],
    people: { 'Rohit Patil': 2, 'Sneha Deshmukh': 2, 'Neha Kulkarni': 1 },
    pass_on_after: 30,
  },
  {
    name: 'Mumbai and Thane',
    cities: ['Mumbai', 'Thane'],
    people: { 'Imran Shaikh': 1, 'Pooja Mehta': 1 },
    pass_on_after: 30,
  },
  {
    name: 'Ads',
    sources: ['Meta', 'Google Ads'],
    people: { 'Rohit Patil': 1, 'Sneha Deshmukh': 1, 'Imran Shaikh': 1, 'Pooja Mehta': 1 },
    pass_on_after: 15,
  },
]

const webhooks = [
  ['Facebook lead ads', 'Meta'],
  ['IndiaMART', 'IndiaMART'],
] as const

const quickReplies = [
  [
    'First message',
    'Hello {first_name}, this is {agent} of {company}. Thank you for your enquiry. When may I call you?',
  ],
  [
    'Not reached',
    'Hello {first_name}, I tried to call you about your enquiry. When is a good time? – {agent}, {company}',
  ],
  ['Quotation sent', 'Hello {first_name}, I have sent you the quotation. Call me if you have a question. – {agent}'],
] as const

/** The share of leads of sources and campaigns that cost money, and what a lead of them costs, in rupees. */
const costs: Record<'source' | 'campaign', Record<string, readonly [share: number, rupees: number]>> = {
  source: {
    Meta: [0.2, 180],
    'Google Ads': [0.14, 320],
    IndiaMART: [0.13, 150],
    JustDial: [0.09, 120],
    '99acres': [0.04, 450],
    MagicBricks: [0.03, 400],
  },
  campaign: {
    'Modular kitchen – Pune': [0.08, 210],
    'Wardrobe EMI offer': [0.04, 140],
    'Diwali offer': [0.08, 170],
    'Search – modular kitchen': [0.07, 360],
    'Search – brand': [0.035, 90],
    'Performance Max': [0.035, 470],
  },
}

export interface AddedUser extends Colleague {
  email: string
  password: string
}

interface Size {
  /** The name of the account. */
  name: string
  leads: number
  days: number
  now: Date
}

/**
 * Adds colleagues in two teams, one of them on leave, with rules, webhooks, quick replies and costs. An account that has other users or rules is in use, and stays as it is. Returns the users with their passwords.
 */
export async function addTeam(database: Database, actor: Actor, size: Size): Promise<AddedUser[]> {
  const domain = await freeDomain(database, actor.account_id, size.name)
  const users = colleagues.map((colleague) => {
    const email = `${colleague.name.toLowerCase().replace(' ', '.')}@${domain}`
    return { ...colleague, email, password: generatePassword() }
  })
  const ids = await asActor(database, actor, async (tx) => {
    if (await isInUse(tx, actor.account_id)) return null
    const ids: Ids = new Map()
    for (const user of users) ids.set(user.name, await createUser(tx, actor, user))
    await addSettings(tx, actor, ids)
    await addCosts(tx, actor, size)
    return ids
  })
  if (ids === null) return []
  for (const { name, password } of users) await setPassword(database.directory, ids.get(name)!, password)
  const until = istDay(new Date(size.now.getTime() + leaveDays * 86_400_000))
  await addAbsence(database, { actor, userId: ids.get(onLeave)!, now: size.now }, { until })
  return users
}

/** The ids of users by name. */
type Ids = Map<Name, string>

/** Locks the account, so that of two commands at the same time one adds the users. */
async function isInUse(tx: TransactionSql, accountId: string): Promise<boolean> {
  await tx`select from accounts where id = ${accountId} for no key update`
  const [row] = await tx<{ in_use: boolean }[]>`
    select (select count(*) from users where account_id = ${accountId}) > 1
      or exists (select from distribution_rules where account_id = ${accountId}) as in_use`
  return row!.in_use
}

async function addSettings(tx: TransactionSql, actor: Actor, ids: Ids) {
  for (const { people, sources = [], cities = [], campaigns = [], ...rule } of rules) {
    const shares = Object.entries(people).map(([name, weight]) => ({ user_id: ids.get(name as Name)!, weight }))
    await addRule(tx, actor, { ...rule, sources, cities, campaigns, tags: [], webhook_ids: [], people: shares }, null)
  }
  for (const [name, source_label] of webhooks) await createWebhook(tx, actor, { name, source_label })
  for (const [title, text] of quickReplies) await addReply(tx, actor, null, { title, text })
}

/** For each month of the leads, what so many leads usually cost. */
async function addCosts(tx: TransactionSql, actor: Actor, { leads, days, now }: Size) {
  const first = istDay(new Date(now.getTime() - (days - 1) * 86_400_000)).slice(0, 7)
  const leadsOfMonth = (leads / Math.max(days, 30)) * 30
  for (let month = istDay(now).slice(0, 7); month >= first; month = monthBefore(month)) {
    for (const kind of ['source', 'campaign'] as const)
      for (const [name, [share, rupees]] of Object.entries(costs[kind])) {
        const cost = Math.ceil((leadsOfMonth * share * rupees) / 500) * 500
        await saveCost(tx, actor, { kind, name, month, cost })
      }
  }
}

const monthBefore = (month: string) => new Date(Date.parse(`${month}-01`) - 86_400_000).toISOString().slice(0, 7)

/** Returns a domain reserved for examples (RFC 2606), in which no user of another account has an email. */
async function freeDomain(database: Database, accountId: string, account: string): Promise<string> {
  const label =
    account
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 30)
      .replaceAll(/^-|-$/g, '') || 'demo'
  const domain = `${label}.example.com`
  const [taken] = await database.directory`select from users where lower(email) like ${`%@${domain}`}
    and account_id <> ${accountId} limit 1`
  return taken ? `${label}-${accountId.slice(0, 8)}.example.com` : domain
}
