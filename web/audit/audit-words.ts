import type { AuditAction, AuditEntry } from '#contract/audit'
import { formatCount, formatMoney } from '../ui/numbers.ts'
import type { Run } from './runs.ts'

/** `{name}` is the user, key, webhook or rule that changed, `{lead}` a link to the lead. */
type Sentence = string | ((entry: AuditEntry) => string)

interface Topic<Verb extends string = string> {
  label: string
  /** Shown instead of the name if it no longer exists. */
  missing: string
  actions: Record<Verb, { label: string; says: Sentence }>
}

type TopicName = AuditAction extends `${infer Name}.${string}` ? Name : never
type VerbOf<Name extends string> =
  Extract<AuditAction, `${Name}.${string}`> extends `${Name}.${infer Verb}` ? Verb : never

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const outcomes: Record<string, string> = {
  created: 'it created a lead',
  merged: 'it merged into a lead',
  rejected: 'it was rejected',
  ignored: 'it was ignored',
  test: 'it was a test',
}

/** The sentences for all recorded actions. */
const everyTopic: { [Name in TopicName]: Topic<VerbOf<Name>> } = {
  lead: {
    label: 'Leads',
    missing: 'a lead',
    actions: {
      created: { label: 'Created', says: 'created {lead}' },
      changed: { label: 'Changed', says: 'changed {lead}' },
      merged: { label: 'Merged', says: 'merged a submission into {lead}' },
      submitted_again: {
        label: 'Submitted again',
        says: 'submitted {lead} of another owner again; the lead did not change',
      },
      deleted: { label: 'Deleted', says: 'deleted a lead with its calls and timeline' },
      duplicate_dismissed: { label: 'Not duplicates', says: 'said that {lead} and another lead are two people' },
      match_hidden: { label: 'Hidden match', says: 'learned that {lead} they cannot see has a phone or email' },
    },
  },
  leads: {
    label: 'Imports, exports, merges and bulk changes',
    missing: 'leads',
    actions: {
      imported: {
        label: 'Imported',
        says: ({ details }) => `imported a file of ${formatCount(Number(details.rows) || 0, 'row')}`,
      },
      exported: { label: 'Exported', says: 'exported leads' },
      merged: { label: 'Merged', says: 'merged two leads' },
      merge_undone: { label: 'Merge undone', says: 'undid the merge of two leads' },
      bulk_changed: {
        label: 'Bulk change',
        says: ({ details }) => `changed ${formatCount(Number(details.leads) || 0, 'lead')} at once`,
      },
      bulk_deleted: {
        label: 'Bulk deletion',
        says: ({ details }) => `deleted ${formatCount(Number(details.leads) || 0, 'lead')} at once`,
      },
      bulk_undone: {
        label: 'Bulk change undone',
        says: ({ details }) => `undid a bulk change of ${formatCount(Number(details.leads) || 0, 'lead')}`,
      },
    },
  },
  audit_log: {
    label: 'Audit log',
    missing: 'the audit log',
    actions: { exported: { label: 'Exported', says: 'exported the audit log' } },
  },
  call_log: {
    label: 'Calls',
    missing: 'a call',
    actions: {
      changed: { label: 'Corrected', says: 'corrected a call' },
      created: { label: 'Logged', says: 'logged a call' },
      deleted: { label: 'Deleted', says: 'deleted a call' },
      exported: { label: 'Exported', says: 'exported calls' },
    },
  },
  delivery: {
    label: 'Deliveries',
    missing: 'a delivery',
    actions: {
      replayed: {
        label: 'Replayed',
        says: ({ details }) => `replayed a delivery: ${outcomes[text(details.outcome)] ?? 'it was processed again'}`,
      },
    },
  },
  webhook: {
    label: 'Webhooks',
    missing: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the webhook {name}' },
      changed: { label: 'Changed', says: 'changed the webhook {name}' },
      mapped: { label: 'Mapped', says: 'changed the mapping of the webhook {name}' },
      enabled: { label: 'Enabled', says: 'enabled the webhook {name}' },
      disabled: { label: 'Disabled', says: 'disabled the webhook {name}' },
      regenerated: { label: 'URL regenerated', says: 'regenerated the URL of the webhook {name}' },
    },
  },
  api_key: {
    label: 'API keys',
    missing: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the API key {name}' },
      changed: { label: 'Changed', says: 'changed the API key {name}' },
      regenerated: { label: 'Regenerated', says: 'regenerated the API key {name}' },
      revoked: { label: 'Revoked', says: 'revoked the API key {name}' },
    },
  },
  user: {
    label: 'Users',
    missing: 'a former user',
    actions: {
      created: { label: 'Added', says: ({ details }) => `added {name} as ${text(details.role) || 'a user'}` },
      invited: { label: 'Invited', says: 'created an invitation link for {name}' },
      changed: {
        label: 'Changed',
        says: ({ user, subject_id }) => (user?.id === subject_id ? 'changed their own profile' : 'changed {name}'),
      },
      activated: { label: 'Activated', says: 'activated {name}' },
      deactivated: { label: 'Deactivated', says: 'deactivated {name}' },
      leads_reassigned: {
        label: 'Leads reassigned',
        says: ({ details }) =>
          details.to
            ? `reassigned ${formatCount(Number(details.leads) || 0, 'lead')} of {name} to {to}`
            : `unassigned ${formatCount(Number(details.leads) || 0, 'lead')} of {name}`,
      },
      away: {
        label: 'Away',
        says: ({ user, subject_id }) => (user?.id === subject_id ? 'is away' : 'noted that {name} is away'),
      },
      back: {
        label: 'Absence deleted',
        says: ({ user, subject_id }) =>
          user?.id === subject_id ? 'deleted their own absence' : 'deleted an absence of {name}',
      },
      hours_changed: {
        label: 'Working hours changed',
        says: ({ user, subject_id }) =>
          user?.id === subject_id ? 'changed their own working hours' : 'changed the working hours of {name}',
      },
      password_link_made: {
        label: 'Password link created',
        says: 'created a password link for {name}',
      },
      password_forgotten: {
        label: 'Password forgotten',
        says: 'requested a password link for {name}',
      },
      password_changed: { label: 'Password changed', says: 'changed their password' },
      password_set: { label: 'Password set', says: 'set a password' },
      two_factor_enabled: { label: 'Two-factor set up', says: 'set up two-factor sign-in' },
      two_factor_disabled: { label: 'Two-factor turned off', says: 'turned off their two-factor sign-in' },
      two_factor_reset: { label: 'Two-factor reset', says: 'reset two-factor sign-in of {name}' },
      backup_codes_made: { label: 'Backup codes created', says: 'created new backup codes' },
    },
  },
  phone_line: {
    label: 'Phone numbers and extensions',
    missing: 'an unknown agent',
    actions: {
      added: {
        label: 'Added',
        says: ({ details }) => `gave the phone number or extension ${text(details.line)} to {name}`,
      },
      removed: {
        label: 'Removed',
        says: ({ details, subject_id }) =>
          subject_id === null
            ? `removed the unknown phone agent ${text(details.line)}`
            : `removed the phone number or extension ${text(details.line)} of {name}`,
      },
    },
  },
  distribution_rule: {
    label: 'Lead distribution',
    missing: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the distribution rule {name}' },
      changed: { label: 'Changed', says: 'changed the distribution rule {name}' },
      moved: {
        label: 'Moved',
        says: ({ details }) => `moved the distribution rule {name} to position ${Number(details.position) || 1}`,
      },
      removed: {
        label: 'Deleted',
        says: ({ details }) => (details.name ? 'deleted the distribution rule {name}' : 'deleted a distribution rule'),
      },
    },
  },
  quick_reply: {
    label: 'Quick replies',
    missing: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the quick reply {name}' },
      changed: { label: 'Changed', says: 'changed the quick reply {name}' },
      moved: {
        label: 'Moved',
        says: ({ details }) => `moved the quick reply {name} to position ${Number(details.position) || 1}`,
      },
      removed: { label: 'Deleted', says: 'deleted the quick reply {name}' },
    },
  },
  source_cost: {
    label: 'Source costs',
    missing: '',
    actions: {
      changed: {
        label: 'Changed',
        says: ({ details }) =>
          details.cost === null
            ? `removed the cost of ${details.source} in ${details.month}`
            : `set the cost of ${details.source} in ${details.month} to ${formatMoney(Number(details.cost))}`,
      },
    },
  },
  view: {
    label: 'Shared views',
    missing: '(deleted since)',
    actions: {
      created: { label: 'Created', says: 'created the shared view {name}' },
      changed: { label: 'Changed', says: 'changed the shared view {name}' },
      shared: { label: 'Shared', says: 'shared the view {name}' },
      unshared: { label: 'Sharing stopped', says: 'stopped sharing the view {name}' },
      removed: { label: 'Deleted', says: 'deleted the shared view {name}' },
    },
  },
  account: {
    label: 'Account',
    missing: 'the account',
    actions: {
      created: { label: 'Created', says: ({ details }) => `created the account ${text(details.name)}` },
      changed: { label: 'Changed', says: 'changed the account' },
    },
  },
  demo: {
    label: 'Demo',
    missing: 'the account',
    actions: {
      filled: { label: 'Filled', says: 'filled the account with demo data' },
      removed: {
        label: 'Removed',
        says: ({ details }) => `removed ${formatCount(Number(details.leads) || 0, 'sample lead')}`,
      },
    },
  },
}

const topics: Partial<Record<string, Topic>> = everyTopic

/** Returns `webhook` for both `webhook.enabled` and `webhook`. */
export const actionTopic = (action: string) => action.split('.', 1)[0] ?? ''

export const topicOptions = Object.entries(everyTopic).map(([value, { label }]) => ({ value, label }))

export const actionOptions = (topic: string) =>
  Object.entries(topics[topic]?.actions ?? {}).map(([verb, { label }]) => ({ value: `${topic}.${verb}`, label }))

/** Sentences for runs. `goesOn` says that the entries that are not loaded yet may continue the run. */
const many: Partial<Record<AuditAction, (run: Run, goesOn: boolean) => string>> = {
  'lead.created': ({ length }, goesOn) => `created ${orMore(goesOn)}${formatCount(length, 'lead')}`,
  'lead.merged': ({ length }, goesOn) => `merged ${orMore(goesOn)}${formatCount(length, 'submission')} into leads`,
  'call_log.created': ({ length }, goesOn) => `logged ${orMore(goesOn)}${formatCount(length, 'call')}`,
  'delivery.replayed': (run, goesOn) => {
    if (goesOn) return `replayed ${orMore(goesOn)}${formatCount(run.length, 'delivery', 'deliveries')}`
    const countOf = (outcome: string) => run.filter(({ details }) => details.outcome === outcome).length
    const counts = [
      { count: countOf('created'), word: 'created' },
      { count: countOf('merged'), word: 'merged' },
      { count: countOf('duplicate'), word: 'duplicate' },
      { count: countOf('rejected'), word: 'rejected' },
      { count: countOf('test'), word: 'test' },
    ].flatMap(({ count, word }) => (count > 0 ? `${count} ${word}` : []))
    return `replayed ${formatCount(run.length, 'delivery', 'deliveries')}: ${counts.join(', ')}`
  },
}

const orMore = (goesOn: boolean) => (goesOn ? 'at least ' : '')

export function sentenceOfRun(run: Run, goesOn: boolean): string {
  const [first] = run
  const ofMany = run.length > 1 ? many[first.action as AuditAction] : undefined
  return ofMany ? ofMany(run, goesOn) : sentenceOf(first)
}

/** Returns the sentence of an entry with its placeholders `{name}`, `{to}` and `{lead}`. */
function sentenceOf(entry: AuditEntry): string {
  const [topic = '', verb = ''] = entry.action.split('.')
  const says = topics[topic]?.actions[verb]?.says
  if (says === undefined) return `did “${entry.action}”`
  return typeof says === 'string' ? says : says(entry)
}

export function subjectName({ action, subject_name, details }: AuditEntry): string {
  return (
    subject_name ?? (text(details.name) || text(details.email) || (topics[actionTopic(action)]?.missing ?? 'something'))
  )
}

/** Returns the user and how they did it. */
export function describeActor({ user, via, via_name }: AuditEntry): { who: string; way: string | null } {
  if (via === 'webhook') {
    const webhook = via_name === null ? 'A deleted webhook' : `The webhook ${via_name}`
    return user
      ? { who: user.name, way: `via ${via_name === null ? 'a deleted webhook' : `the webhook ${via_name}`}` }
      : { who: webhook, way: null }
  }
  const ways = {
    web: 'in the web app',
    command: 'via command line',
    api_key: `via ${via_name === null ? 'a deleted API key' : `the API key ${via_name}`}`,
  }
  if (user) return { who: user.name || user.email, way: ways[via] }
  // A user who forgot the password is not signed in, and the command line has no user.
  return { who: 'System', way: ways[via] }
}
