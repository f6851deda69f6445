import { folded } from '#contract/platform/text'
import { contains } from '../../platform/ui/find-options.ts'
import { stepsIn } from './steps-in.ts'

export interface Guide {
  name: string
  kind: GuideKind
  /** Within its kind, the most used first. */
  order: number
  /** Other words that find it. */
  aliases: string[]
  /** In the repository. */
  page: string
  /** Set if the platform asks for the verify token. */
  verifyToken: boolean
  /** Set if the platform has a secret token that the webhook needs. */
  secretToken: boolean
  steps: string[]
}

interface SenderGuide {
  kind: GuideKind
  order: number
  aliases?: string[]
  verify_token?: boolean
  secret_token?: boolean
}

const kinds = [
  'Ads',
  'Portals',
  'Forms and websites',
  'Chat',
  'Telephone systems',
  'Shops and payments',
  'CRM',
  'Bridges',
  'Other',
] as const

export type GuideKind = (typeof kinds)[number]

/** Words that find all guides of a kind. */
const kindAliases: Partial<Record<GuideKind, string[]>> = {
  Portals: ['property', 'प्रॉपर्टी', 'पोर्टल'],
  'Forms and websites': ['website', 'landing page', 'वेबसाइट', 'फॉर्म'],
  'Telephone systems': ['ivr', 'calls', 'आईवीआर', 'कॉल', 'फोन'],
  Other: ['website', 'वेबसाइट'],
}

const tables = ['google form', 'google sheet', 'excel', 'गूगल फॉर्म', 'गूगल शीट', 'एक्सेल']

/** The pages of docs/webhooks with steps for what has many senders behind it, and the aliases of each. */
const pages: Readonly<Record<string, { kind: GuideKind; aliases: Record<string, string[]> }>> = {
  'docs/webhooks/zapier-make-n8n-pabbly.md': {
    kind: 'Bridges',
    aliases: { Zapier: tables, Make: tables, n8n: tables, 'Pabbly Connect': ['pabbly', ...tables] },
  },
  'docs/webhooks/README.md': { kind: 'Other', aliases: { 'Anything else': ['html', 'php', 'एचटीएमएल'] } },
}

/** Returns the guides of a page: that of a sender, or those of a page of docs/webhooks. */
export function guidesIn(page: string, text: string, sender?: SenderGuide): Guide[] {
  if (sender) {
    const name = /^# (.*)$/m.exec(text)?.[1] ?? ''
    const { kind, order, aliases = [], verify_token: verifyToken = false, secret_token: secretToken = false } = sender
    return [{ name, kind, order, aliases, page, verifyToken, secretToken, steps: stepsIn(text, name) }]
  }
  const { kind, aliases } = pages[page] ?? { kind: 'Other', aliases: {} }
  const asks = { verifyToken: false, secretToken: false }
  return Object.entries(aliases).map(([name, aliases], order) => {
    return { name, kind, order, aliases, page, ...asks, steps: stepsIn(text, name) }
  })
}

/** By kind; within a kind, the most used first. */
export const sorted = (guides: readonly Guide[]): Guide[] =>
  guides.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || one.order - other.order)

/** Whether a search finds a guide by its name, its kind or another word. `shown`: its name and kind in the user's language. */
export function isFound(search: string, { name, kind, aliases }: Guide, shown: string[] = []): boolean {
  return [name, kind, ...shown, ...aliases, ...(kindAliases[kind] ?? [])].some((word) => contains(word, search))
}

/**
 * Finds the guide of a webhook by its labels: that of "IndiaMART Pune" is IndiaMART, that of "Google" Google Ads. A bridge is what sends
 * "Facebook via Pabbly". An alias of several guides names none of them.
 */
export function guideFor(guides: readonly Guide[], ...labels: string[]): Guide | undefined {
  const given = labels.map(wordsOf).filter((label) => label.length > 2)
  const isUnique = (alias: string) => guides.filter(({ aliases }) => aliases.includes(alias)).length === 1
  const named = guides.filter(({ name, aliases }) => {
    const own = wordsOf(name.replace(/ \(.*|\.com/, ''))
    const names = [own, ...aliases.filter(isUnique).map(wordsOf)]
    return given.some(
      (label) => `${own} `.startsWith(`${label} `) || names.some((one) => ` ${label} `.includes(` ${one} `)),
    )
  })
  return named.find(({ kind }) => kind === 'Bridges') ?? named[0]
}

const wordsOf = (text: string) =>
  folded(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
