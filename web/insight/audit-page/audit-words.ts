import { plural, t } from '@lingui/core/macro'
import type { Role } from '#contract/access/account'
import type { AuditAction, AuditEntry } from '#contract/access/audit'
import { roleNames } from '../../access/account/role-names.ts'
import { formatMoney } from '../../platform/ui/numbers.ts'
import type { Run } from './runs.ts'

/**
 * The parts of a sentence that are shown as more than text: the user, webhook or system that acted; the user, key, webhook
 * or rule that changed; the lead, as a link; the new owners.
 */
const [who, name, lead, to] = ['{who}', '{name}', '{lead}', '{to}'] as const
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
const isRole = (value: unknown): value is Role => typeof value === 'string' && Object.hasOwn(roleNames, value)
const replayed: Record<string, string> = {
  created: t`${who} replayed a delivery: it created a lead`,
  merged: t`${who} replayed a delivery: it merged into a lead`,
  rejected: t`${who} replayed a delivery: it was rejected`,
  ignored: t`${who} replayed a delivery: it was ignored`,
  test: t`${who} replayed a delivery: it was a test`,
}

/** The sentences for all recorded actions. */
const everyTopic: { [Name in TopicName]: Topic<VerbOf<Name>> } = {
  lead: {
    label: t`Leads`,
    missing: t`a lead`,
    actions: {
      created: { label: t`Created`, says: t`${who} created ${lead}` },
      changed: { label: t`Changed`, says: t`${who} changed ${lead}` },
      merged: { label: t`Merged`, says: t`${who} merged a submission into ${lead}` },
      submitted_again: {
        label: t`Submitted again`,
        says: t`${who} submitted ${lead} of another owner again; the lead did not change`,
      },
      deleted: { label: t`Deleted`, says: t`${who} deleted a lead with its calls and timeline` },
      duplicate_dismissed: {
        label: t`Not duplicates`,
        says: t`${who} said that ${lead} and another lead are two people`,
      },
      match_hidden: {
        label: t`Hidden match`,
        says: t`${who} learned that ${lead} they cannot see has a phone or email`,
      },
    },
  },
  leads: {
    label: t`Imports, exports, merges and bulk changes`,
    missing: t`leads`,
    actions: {
      imported: {
        label: t`Imported`,
        says: ({ details }) =>
          t`${who} imported a file of ${plural({ rows: Number(details.rows) || 0 }, { one: '# row', other: '# rows' })}`,
      },
      exported: { label: t`Exported`, says: t`${who} exported leads` },
      import_undone: {
        label: t`Import undone`,
        says: ({ details }) =>
          t`${who} undid an import: ${plural({ leads: Number(details.deleted) || 0 }, { one: '# lead', other: '# leads' })} deleted`,
      },
      merged: { label: t`Merged`, says: t`${who} merged two leads` },
      merge_undone: { label: t`Merge undone`, says: t`${who} undid the merge of two leads` },
      bulk_changed: {
        label: t`Bulk change`,
        says: ({ details }) =>
          t`${who} changed ${plural({ leads: Number(details.leads) || 0 }, { one: '# lead', other: '# leads' })} at once`,
      },
      bulk_deleted: {
        label: t`Bulk deletion`,
        says: ({ details }) =>
          t`${who} deleted ${plural({ leads: Number(details.leads) || 0 }, { one: '# lead', other: '# leads' })} at once`,
      },
      bulk_undone: {
        label: t`Bulk change undone`,
        says: ({ details }) =>
          t`${who} undid a bulk change of ${plural({ leads: Number(details.leads) || 0 }, { one: '# lead', other: '# leads' })}`,
      },
    },
  },
  audit_log: {
    label: t`Audit log`,
    missing: t`the audit log`,
    actions: { exported: { label: t`Exported`, says: t`${who} exported the audit log` } },
  },
  call_log: {
    label: t`Calls`,
    missing: t`a call`,
    actions: {
      changed: { label: t`Corrected`, says: t`${who} corrected a call` },
      created: { label: t`Logged`, says: t`${who} logged a call` },
      deleted: { label: t`Deleted`, says: t`${who} deleted a call` },
      exported: { label: t`Exported`, says: t`${who} exported calls` },
      reviewed: { label: t`Reviewed`, says: t`${who} reviewed a call` },
      review_removed: { label: t`Review removed`, says: t`${who} removed the review of a call` },
    },
  },
  delivery: {
    label: t`Deliveries`,
    missing: t`a delivery`,
    actions: {
      replayed: {
        label: t`Replayed`,
        says: ({ details }) => replayed[text(details.outcome)] ?? t`${who} replayed a delivery: it was processed again`,
      },
    },
  },
  webhook: {
    label: t`Webhooks`,
    missing: t`(deleted since)`,
    actions: {
      created: { label: t`Created`, says: t`${who} created the webhook ${name}` },
      changed: { label: t`Changed`, says: t`${who} changed the webhook ${name}` },
      mapped: { label: t`Mapped`, says: t`${who} changed the mapping of the webhook ${name}` },
      enabled: { label: t`Enabled`, says: t`${who} enabled the webhook ${name}` },
      disabled: { label: t`Disabled`, says: t`${who} disabled the webhook ${name}` },
      regenerated: { label: t`URL regenerated`, says: t`${who} regenerated the URL of the webhook ${name}` },
    },
  },
  api_key: {
    label: t`API keys`,
    missing: t`(deleted since)`,
    actions: {
      created: { label: t`Created`, says: t`${who} created the API key ${name}` },
      changed: { label: t`Changed`, says: t`${who} changed the API key ${name}` },
      regenerated: { label: t`Regenerated`, says: t`${who} regenerated the API key ${name}` },
      revoked: { label: t`Revoked`, says: t`${who} revoked the API key ${name}` },
    },
  },
  user: {
    label: t`Users`,
    missing: t`a former user`,
    actions: {
      created: {
        label: t`Added`,
        says: ({ details }) =>
          isRole(details.role)
            ? t`${who} added ${name} as ${{ role: roleNames[details.role] }}`
            : t`${who} added ${name} as a user`,
      },
      invited: { label: t`Invited`, says: t`${who} created an invitation link for ${name}` },
      changed: {
        label: t`Changed`,
        says: ({ user, subject_id }) =>
          user?.id === subject_id ? t`${who} changed their own profile` : t`${who} changed ${name}`,
      },
      activated: { label: t`Activated`, says: t`${who} activated ${name}` },
      deactivated: { label: t`Deactivated`, says: t`${who} deactivated ${name}` },
      leads_reassigned: {
        label: t`Leads reassigned`,
        says: ({ details }) =>
          (details.to ?? details.to_users)
            ? t`${who} reassigned ${plural({ leads: Number(details.leads) || 0 }, { one: '# lead', other: '# leads' })} of ${name} to ${to}`
            : t`${who} unassigned ${plural({ leads: Number(details.leads) || 0 }, { one: '# lead', other: '# leads' })} of ${name}`,
      },
      goal_changed: {
        label: t`Goal changed`,
        says: ({ details }) =>
          details.won_value === null
            ? t`${who} removed the goal of ${name} for ${{ month: text(details.month) }}`
            : t`${who} set the goal of ${name} for ${{ month: text(details.month) }} to ${{ amount: formatMoney(Number(details.won_value)) }}`,
      },
      away: {
        label: t`Away`,
        says: ({ user, subject_id }) =>
          user?.id === subject_id ? t`${who} is away` : t`${who} noted that ${name} is away`,
      },
      back: {
        label: t`Absence deleted`,
        says: ({ user, subject_id }) =>
          user?.id === subject_id ? t`${who} deleted their own absence` : t`${who} deleted an absence of ${name}`,
      },
      hours_changed: {
        label: t`Working hours changed`,
        says: ({ user, subject_id }) =>
          user?.id === subject_id
            ? t`${who} changed their own working hours`
            : t`${who} changed the working hours of ${name}`,
      },
      password_link_made: {
        label: t`Password link created`,
        says: t`${who} created a password link for ${name}`,
      },
      password_forgotten: {
        label: t`Password forgotten`,
        says: t`${who} requested a password link for ${name}`,
      },
      password_changed: { label: t`Password changed`, says: t`${who} changed their password` },
      password_set: { label: t`Password set`, says: t`${who} set a password` },
      single_sign_on_linked: {
        label: t`Single sign-on linked`,
        says: t`${who} signed in by single sign-on for the first time`,
      },
      single_sign_on_unlinked: {
        label: t`Single sign-on unlinked`,
        says: t`${who} unlinked single sign-on of ${name}`,
      },
      two_factor_enabled: { label: t`Two-factor set up`, says: t`${who} set up two-factor sign-in` },
      two_factor_disabled: { label: t`Two-factor turned off`, says: t`${who} turned off their two-factor sign-in` },
      two_factor_reset: { label: t`Two-factor reset`, says: t`${who} reset two-factor sign-in of ${name}` },
      backup_codes_made: { label: t`Backup codes created`, says: t`${who} created new backup codes` },
    },
  },
  phone_line: {
    label: t`Phone numbers and extensions`,
    missing: t`an unknown agent`,
    actions: {
      added: {
        label: t`Added`,
        says: ({ details }) => t`${who} gave the phone number or extension ${{ line: text(details.line) }} to ${name}`,
      },
      requested: {
        label: t`Requested`,
        says: ({ details }) => t`${who} asked for the phone number or extension ${{ line: text(details.line) }}`,
      },
      confirmed: {
        label: t`Confirmed`,
        says: ({ details }) =>
          t`${who} confirmed the phone number or extension ${{ line: text(details.line) }} of ${name}`,
      },
      declined: {
        label: t`Declined`,
        says: ({ details }) =>
          t`${who} declined the phone number or extension ${{ line: text(details.line) }} of ${name}`,
      },
      removed: {
        label: t`Removed`,
        says: ({ details, subject_id }) =>
          subject_id === null
            ? t`${who} removed the unknown phone agent ${{ line: text(details.line) }}`
            : t`${who} removed the phone number or extension ${{ line: text(details.line) }} of ${name}`,
      },
    },
  },
  distribution_rule: {
    label: t`Lead distribution`,
    missing: t`(deleted since)`,
    actions: {
      created: { label: t`Created`, says: t`${who} created the distribution rule ${name}` },
      changed: {
        label: t`Changed`,
        says: ({ details: { paused } }) =>
          paused === undefined
            ? t`${who} changed the distribution rule ${name}`
            : paused
              ? t`${who} paused the distribution rule ${name}`
              : t`${who} resumed the distribution rule ${name}`,
      },
      moved: {
        label: t`Moved`,
        says: ({ details }) =>
          t`${who} moved the distribution rule ${name} to position ${{ position: Number(details.position) || 1 }}`,
      },
      removed: {
        label: t`Deleted`,
        says: ({ details }) =>
          details.name ? t`${who} deleted the distribution rule ${name}` : t`${who} deleted a distribution rule`,
      },
    },
  },
  quick_reply: {
    label: t`Quick replies`,
    missing: t`(deleted since)`,
    actions: {
      created: { label: t`Created`, says: t`${who} created the quick reply ${name}` },
      changed: { label: t`Changed`, says: t`${who} changed the quick reply ${name}` },
      moved: {
        label: t`Moved`,
        says: ({ details }) =>
          t`${who} moved the quick reply ${name} to position ${{ position: Number(details.position) || 1 }}`,
      },
      removed: { label: t`Deleted`, says: t`${who} deleted the quick reply ${name}` },
    },
  },
  source_cost: {
    label: t`Costs`,
    missing: '',
    actions: {
      changed: {
        label: t`Changed`,
        // Older entries name a source.
        says: ({ details }) =>
          details.cost === null
            ? t`${who} removed the cost of ${{ name: text(details.name ?? details.source) }} in ${{ month: text(details.month) }}`
            : t`${who} set the cost of ${{ name: text(details.name ?? details.source) }} in ${{ month: text(details.month) }} to ${{ cost: formatMoney(Number(details.cost)) }}`,
      },
    },
  },
  view: {
    label: t`Shared views`,
    missing: t`(deleted since)`,
    actions: {
      created: { label: t`Created`, says: t`${who} created the shared view ${name}` },
      changed: { label: t`Changed`, says: t`${who} changed the shared view ${name}` },
      shared: { label: t`Shared`, says: t`${who} shared the view ${name}` },
      unshared: { label: t`Sharing stopped`, says: t`${who} stopped sharing the view ${name}` },
      removed: { label: t`Deleted`, says: t`${who} deleted the shared view ${name}` },
    },
  },
  account: {
    label: t`Account`,
    missing: t`the account`,
    actions: {
      created: {
        label: t`Created`,
        says: ({ details }) => t`${who} created the account ${{ account: text(details.name) }}`,
      },
      changed: { label: t`Changed`, says: t`${who} changed the account` },
      suspended: { label: t`Suspended`, says: t`${who} suspended the account` },
      resumed: { label: t`Resumed`, says: t`${who} resumed the account` },
    },
  },
  demo: {
    label: t`Demo`,
    missing: t`the account`,
    actions: {
      filled: { label: t`Filled`, says: t`${who} filled the account with demo data` },
      removed: {
        label: t`Removed`,
        says: ({ details }) =>
          t`${who} removed ${plural({ leads: Number(details.leads) || 0 }, { one: '# sample lead', other: '# sample leads' })}`,
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
  'lead.created': ({ length: leads }, goesOn) =>
    goesOn
      ? t`${who} created at least ${plural(leads, { one: '# lead', other: '# leads' })}`
      : t`${who} created ${plural(leads, { one: '# lead', other: '# leads' })}`,
  'lead.merged': ({ length: submissions }, goesOn) =>
    goesOn
      ? t`${who} merged at least ${plural(submissions, { one: '# submission', other: '# submissions' })} into leads`
      : t`${who} merged ${plural(submissions, { one: '# submission', other: '# submissions' })} into leads`,
  'call_log.created': ({ length: calls }, goesOn) =>
    goesOn
      ? t`${who} logged at least ${plural(calls, { one: '# call', other: '# calls' })}`
      : t`${who} logged ${plural(calls, { one: '# call', other: '# calls' })}`,
  'delivery.replayed': (run, goesOn) => {
    const deliveries = run.length
    if (goesOn) return t`${who} replayed at least ${plural(deliveries, { one: '# delivery', other: '# deliveries' })}`
    const countOf = (outcome: string) => run.filter(({ details }) => details.outcome === outcome).length
    const counts = [
      { count: countOf('created'), text: (count: number) => t`${count} created` },
      { count: countOf('merged'), text: (count: number) => t`${count} merged` },
      { count: countOf('duplicate'), text: (count: number) => t`${count} duplicate` },
      { count: countOf('rejected'), text: (count: number) => t`${count} rejected` },
      { count: countOf('test'), text: (count: number) => t`${count} test` },
    ].flatMap(({ count, text }) => (count > 0 ? text(count) : []))
    return t`${who} replayed ${plural(deliveries, { one: '# delivery', other: '# deliveries' })}: ${{ outcomes: counts.join(', ') }}`
  },
}

export function sentenceOfRun(run: Run, goesOn: boolean): string {
  const [first] = run
  const ofMany = run.length > 1 ? many[first.action as AuditAction] : undefined
  return ofMany ? ofMany(run, goesOn) : sentenceOf(first)
}

/** Returns the sentence of an entry with its placeholders `{who}`, `{name}`, `{to}` and `{lead}`. */
function sentenceOf(entry: AuditEntry): string {
  const [topic = '', verb = ''] = entry.action.split('.')
  const says = topics[topic]?.actions[verb]?.says
  if (says === undefined) return t`${who} did “${{ action: entry.action }}”`
  return typeof says === 'string' ? says : says(entry)
}

export function subjectName({ action, subject_name, details }: AuditEntry): string {
  return (
    subject_name ??
    (text(details.name) || text(details.email) || (topics[actionTopic(action)]?.missing ?? t`something`))
  )
}

/** Returns the user and how they did it. */
export function describeActor({ user, via, via_name }: AuditEntry): { who: string; way: string | null } {
  if (via === 'webhook') {
    if (!user)
      return { who: via_name === null ? t`A deleted webhook` : t`The webhook ${{ name: via_name }}`, way: null }
    return {
      who: user.name,
      way: via_name === null ? t`via a deleted webhook` : t`via the webhook ${{ name: via_name }}`,
    }
  }
  const names = {
    web: t`in the web app`,
    command: t`via command line`,
    api_key: via_name === null ? t`via a deleted API key` : t`via the API key ${{ name: via_name }}`,
  }
  if (user) return { who: user.name || user.email, way: names[via] }
  // A user who forgot the password is not signed in, and the command line has no user.
  return { who: t`System`, way: names[via] }
}
