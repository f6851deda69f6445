import type { AuditAction, AuditEntry } from '#contract/audit'
import { formatCount } from '../ui/numbers.ts'
import type { Run } from './runs.ts'

/** `{name}` is the person, key, webhook or rule it was done to, `{lead}` a link to the lead. */
type Sentence = string | ((entry: AuditEntry) => string)

interface Matter<Verb extends string = string> {
  label: string
  /** What is said of one that is not there any more. */
  gone: string
  actions: Record<Verb, { label: string; says: Sentence }>
}

type MatterName = AuditAction extends `${infer Name}.${string}` ? Name : never
type VerbOf<Name extends string> =
  Extract<AuditAction, `${Name}.${string}`> extends `${Name}.${infer Verb}` ? Verb : never

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const outcomes: Record<string, string> = {
  created: 'it created a lead',
  merged: 'it merged into a lead',
  rejected: 'it was refused',
  ignored: 'it was ignored',
  test: 'it was a test',
}

/** Every action that the service records, in words. */
const everyMatter: { [Name in MatterName]: Matter<VerbOf<Name>> } = {
  lead: {
    label: 'Leads',
    gone: 'a lead',
    actions: {
      created: { label: 'Created', says: 'created {lead}' },
      changed: { label: 'Changed', says: 'changed {lead}' },
      merged: { label: 'Merged', says: 'merged a submission into {lead}' },
      submitted_again: {
        label: 'Submitted again',
        says: 'submitted {lead} of somebody else again, which stayed as it was',
      },
      deleted: { label: 'Deleted', says: 'deleted a lead with its calls and timeline' },
      match_hidden: { label: 'Hidden match', says: 'was told that {lead} they cannot see has a phone or email' },
    },
  },
  leads: {
    label: 'Imports and exports',
    gone: 'leads',
    actions: {
      imported: {
        label: 'Imported',
        says: ({ details }) => `imported a file of ${formatCount(Number(details.rows) || 0, 'row')}`,
      },
      exported: { label: 'Exported', says: 'exported leads' },
    },
  },
  call_log: {
    label: 'Calls',
    gone: 'a call',
    actions: {
      created: { label: 'Logged', says: 'logged a call' },
      deleted: { label: 'Deleted', says: 'deleted a call' },
    },
  },
  delivery: {
    label: 'Deliveries',
    gone: 'a delivery',
    actions: {
      replayed: {
        label: 'Replayed',
        says: ({ details }) => `replayed a delivery: ${outcomes[text(details.outcome)] ?? 'it was taken again'}`,
      },
    },
  },
  webhook: {
    label: 'Webhooks',
    gone: '(gone since)',
    actions: {
      created: { label: 'Created', says: 'created the webhook {name}' },
      changed: { label: 'Changed', says: 'changed the webhook {name}' },
      mapped: { label: 'Mapped', says: 'changed the mapping of the webhook {name}' },
      enabled: { label: 'Enabled', says: 'enabled the webhook {name}' },
      disabled: { label: 'Disabled', says: 'disabled the webhook {name}' },
      regenerated: { label: 'New address', says: 'gave the webhook {name} a new address' },
    },
  },
  api_key: {
    label: 'API keys',
    gone: '(gone since)',
    actions: {
      created: { label: 'Created', says: 'created the API key {name}' },
      changed: { label: 'Changed', says: 'changed the API key {name}' },
      regenerated: { label: 'Regenerated', says: 'regenerated the API key {name}' },
      revoked: { label: 'Revoked', says: 'revoked the API key {name}' },
    },
  },
  user: {
    label: 'People',
    gone: 'somebody who is gone',
    actions: {
      created: { label: 'Added', says: ({ details }) => `added {name} as ${text(details.role) || 'a person'}` },
      invited: { label: 'Invited', says: 'made an invitation link for {name}' },
      changed: {
        label: 'Changed',
        says: ({ user, subject_id }) => (user?.id === subject_id ? 'changed their own profile' : 'changed {name}'),
      },
      activated: { label: 'Activated', says: 'activated {name}' },
      deactivated: { label: 'Deactivated', says: 'deactivated {name}' },
      leads_reassigned: {
        label: 'Leads handed over',
        says: ({ details }) =>
          `handed ${formatCount(Number(details.leads) || 0, 'lead')} of {name} to ${details.to ? '{to}' : 'nobody'}`,
      },
      password_link_made: {
        label: 'Password link made',
        says: 'made a link with which {name} can choose a new password',
      },
      password_forgotten: {
        label: 'Password forgotten',
        says: 'asked for a link with which {name} can choose a new password',
      },
      password_changed: { label: 'Password changed', says: 'changed their password' },
      password_set: { label: 'Password chosen', says: 'chose a password' },
      two_factor_enabled: { label: 'Two-factor set up', says: 'set up two-factor sign-in' },
      two_factor_disabled: { label: 'Two-factor switched off', says: 'switched off their two-factor sign-in' },
      two_factor_reset: { label: 'Two-factor reset', says: 'switched off two-factor sign-in for {name}' },
      backup_codes_made: { label: 'Backup codes made', says: 'made new backup codes' },
    },
  },
  distribution_rule: {
    label: 'Distribution',
    gone: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the distribution rule {name}' },
      changed: { label: 'Changed', says: 'changed the distribution rule {name}' },
      moved: {
        label: 'Moved',
        says: ({ details }) => `moved the distribution rule {name} to place ${Number(details.position) || 1}`,
      },
      removed: {
        label: 'Deleted',
        says: ({ details }) => (details.name ? 'deleted the distribution rule {name}' : 'deleted a distribution rule'),
      },
    },
  },
  account: {
    label: 'Account',
    gone: 'the account',
    actions: {
      created: { label: 'Created', says: ({ details }) => `created the account ${text(details.name)}` },
      changed: { label: 'Changed', says: 'changed the account' },
    },
  },
  demo: {
    label: 'Demonstration',
    gone: 'the account',
    actions: { filled: { label: 'Filled', says: 'filled the account with demonstration data' } },
  },
}

const matters: Partial<Record<string, Matter>> = everyMatter

/** `webhook.enabled` and `webhook` are both of the matter `webhook`. */
export const matterOf = (action: string) => action.split('.', 1)[0] ?? ''

export const matterOptions = Object.entries(everyMatter).map(([value, { label }]) => ({ value, label }))

export const actionOptions = (matter: string) =>
  Object.entries(matters[matter]?.actions ?? {}).map(([verb, { label }]) => ({ value: `${matter}.${verb}`, label }))

/** `goesOn` where there may be more of the run in what is not loaded yet. */
const many: Partial<Record<AuditAction, (run: Run, goesOn: boolean) => string>> = {
  'lead.created': ({ length }, goesOn) => `created ${orMore(goesOn)}${formatCount(length, 'lead')}`,
  'lead.merged': ({ length }, goesOn) => `merged ${orMore(goesOn)}${formatCount(length, 'submission')} into leads`,
  'call_log.created': ({ length }, goesOn) => `logged ${orMore(goesOn)}${formatCount(length, 'call')}`,
  'delivery.replayed': (run, goesOn) => {
    if (goesOn) return `replayed ${orMore(goesOn)}${formatCount(run.length, 'delivery', 'deliveries')}`
    const became = (outcome: string) => run.filter(({ details }) => details.outcome === outcome).length
    const counts = [
      { count: became('created'), word: 'created' },
      { count: became('merged'), word: 'merged' },
      { count: became('duplicate'), word: 'as a duplicate' },
      { count: became('rejected'), word: 'refused' },
      { count: became('test'), word: 'as a test' },
    ].flatMap(({ count, word }) => (count > 0 ? `${count} ${word}` : []))
    return `replayed ${formatCount(run.length, 'delivery', 'deliveries')}: ${counts.join(', ')}`
  },
}

const orMore = (goesOn: boolean) => (goesOn ? 'at least ' : '')

export function sentenceOfRun(run: Run, goesOn: boolean): string {
  const [first] = run
  const told = run.length > 1 ? many[first.action as AuditAction] : undefined
  return told ? told(run, goesOn) : sentenceOf(first)
}

/** What was done, with `{name}`, `{to}` and `{lead}` where these are put. */
function sentenceOf(entry: AuditEntry): string {
  const [matter = '', verb = ''] = entry.action.split('.')
  const says = matters[matter]?.actions[verb]?.says
  if (says === undefined) return `did “${entry.action}”`
  return typeof says === 'string' ? says : says(entry)
}

export function nameOf({ action, subject_name, details }: AuditEntry): string {
  return subject_name ?? (text(details.name) || text(details.email) || (matters[matterOf(action)]?.gone ?? 'something'))
}

/** Who did it, and by which way. */
export function whoOf({ user, via, via_name }: AuditEntry): { who: string; way: string | null } {
  if (via === 'webhook') {
    const webhook = via_name === null ? 'A webhook that is gone' : `The webhook ${via_name}`
    return user ? { who: user.name, way: `by the webhook ${via_name ?? 'that is gone'}` } : { who: webhook, way: null }
  }
  const ways = {
    web: 'on the web',
    command: 'at the command line',
    api_key: `with the API key ${via_name ?? 'that is gone'}`,
  }
  if (user) return { who: user.name || user.email, way: ways[via] }
  // Who forgot a password is not signed in, and the command line knows nobody.
  return { who: via === 'api_key' ? 'The service' : 'Somebody', way: ways[via] }
}
