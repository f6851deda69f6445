import { stepsIn } from './steps-in.ts'

export interface Guide {
  name: string
  kind: GuideKind
  /** Within its kind, the most used first. */
  order: number
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

/** The pages of docs/webhooks with steps for what has many senders behind it. */
const pages: Readonly<Record<string, { kind: GuideKind; names: string[] }>> = {
  'docs/webhooks/zapier-make-n8n-pabbly.md': { kind: 'Bridges', names: ['Zapier', 'Make', 'n8n', 'Pabbly Connect'] },
  'docs/webhooks/README.md': { kind: 'Other', names: ['Anything else'] },
}

/** Returns the guides of a page: that of a sender, or those of a page of docs/webhooks. */
export function guidesIn(page: string, text: string, sender?: SenderGuide): Guide[] {
  if (sender) {
    const name = /^# (.*)$/m.exec(text)?.[1] ?? ''
    const { kind, order, verify_token: verifyToken = false, secret_token: secretToken = false } = sender
    return [{ name, kind, order, page, verifyToken, secretToken, steps: stepsIn(text, name) }]
  }
  const { kind, names } = pages[page] ?? { kind: 'Other', names: [] }
  const asks = { verifyToken: false, secretToken: false }
  return names.map((name, order) => ({ name, kind, order, page, ...asks, steps: stepsIn(text, name) }))
}

/** By kind; within a kind, the most used first. */
export const sorted = (guides: readonly Guide[]): Guide[] =>
  guides.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || one.order - other.order)

/** Finds the guide of a webhook by its labels: that of "IndiaMART Pune" is IndiaMART, that of "Google" Google Ads. */
export function guideFor(guides: readonly Guide[], ...labels: string[]): Guide | undefined {
  const given = labels.map((label) => label.trim().toLowerCase()).filter((label) => label.length > 2)
  return guides.find(({ name }) => {
    const own = name.toLowerCase().replace(/ \(.*|\.com/, '')
    return given.some((label) => ` ${label} `.includes(` ${own} `) || `${own} `.startsWith(`${label} `))
  })
}
