import { contactKeys } from '../../server/crm/leads/contact-keys.ts'
import { type Actor, accountActor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { isCanceled, isConflict } from '../../server/platform/database/errors.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** In seconds, for all accounts, and for one statement. */
const maxSeconds = 60
const maxStatementSeconds = 30

/** Per account. More are found after these are repaired. */
const maxLeads = 1000
const maxNamed = 5

/** What can be wrong with a lead, and what to do. */
const faults = {
  withoutKey: {
    what: 'leads are not found by their phone or email',
    fix: 'Run lead-engine doctor --repair: it makes their keys again.',
  },
  without: {
    what: 'leads have no phone, email or other contact',
    fix: 'Open /leads/ID in the web app for each of them, and add its phone or email or delete the lead.',
  },
  doubled: {
    what: 'leads have a contact that another lead has too',
    fix: 'Open /leads/ID in the web app for each of them, and merge it with the other lead.',
  },
}
type Fault = keyof typeof faults
type Outcome = Fault | 'fine' | 'repaired'

interface SuspectLead {
  id: string
  name: string
  phone: string | null
  email: string | null
  country: Parameters<typeof contactKeys>[1]
}

/** A lead is found again by the keys of its contacts: without them, the same person would become a second lead. */
export const contacts = ({ database, repair }: Installation): Check => ({
  name: 'contacts',
  seconds: maxSeconds + 2 * maxStatementSeconds,
  async run() {
    const opened = database.get()
    const end = performance.now() + maxSeconds * 1000
    const all: All = { withoutKey: 0, without: 0, doubled: 0, repaired: 0, ids: [] }
    let isWhole = true
    const accounts = await opened.directory<{ id: string }[]>`select id from accounts order by id`
    for (const { id } of accounts) {
      if (performance.now() > end) {
        isWhole = false
        break
      }
      const actor = accountActor(id)
      const leads = await findLeads(opened, actor)
      if (!leads) isWhole = false
      for (const lead of leads ?? []) {
        const outcome = await judge(opened, actor, lead, repair === 'everything')
        if (outcome === 'fine') continue
        all[outcome]++
        if (outcome !== 'repaired' && all.ids.length < maxNamed) all.ids.push(lead.id)
      }
    }
    return finding(all, isWhole)
  },
})

async function judge(database: Database, actor: Actor, lead: SuspectLead, repair: boolean): Promise<Outcome> {
  if (lead.phone === null && lead.email === null) return 'without'
  const { phone_key, email_key } = contactKeys(lead, lead.country)
  if (phone_key === null && email_key === null) return 'fine'
  if (!repair) return 'withoutKey'
  try {
    const changed = await asActor(
      database,
      actor,
      (
        tx,
      ) => tx`update leads set phone_key = coalesce(phone_key, ${phone_key}), email_key = coalesce(email_key, ${email_key})
        where account_id = ${actor.account_id} and id = ${lead.id}
          and (phone_key, email_key) is distinct from (coalesce(phone_key, ${phone_key}), coalesce(email_key, ${email_key}))`,
    )
    return changed.count > 0 ? 'repaired' : 'fine'
  } catch (error) {
    if (isConflict(error)) return 'doubled'
    throw error
  }
}

/** Leads with a contact that has no key, and leads without any. Returns null if the account has too many leads to look in time. */
async function findLeads(database: Database, actor: Actor): Promise<SuspectLead[] | null> {
  const { account_id } = actor
  try {
    return await asActor(database, actor, async (tx) => {
      await tx`select set_config('statement_timeout', ${`${maxStatementSeconds}s`}, true), set_config('plan_cache_mode', 'force_custom_plan', true)`
      return tx<SuspectLead[]>`
        select leads.id, leads.name, phone, email, accounts.default_country as country
        from leads join accounts on accounts.id = leads.account_id
        where account_id = ${account_id} and (phone_key is null or email_key is null) and (
          phone is not null and phone_key is null or email is not null and email_key is null
          or phone is null and email is null
            and not exists (select from lead_contacts where account_id = ${account_id} and lead_id = leads.id))
        limit ${maxLeads}`
    })
  } catch (error) {
    if (isCanceled(error)) return null
    throw error
  }
}

interface All extends Record<Fault | 'repaired', number> {
  ids: string[]
}

function finding(all: All, isWhole: boolean): Finding {
  const { repaired, ids } = all
  const done = repaired > 0 ? `The keys of ${repaired} leads were made again.` : ''
  const found = (Object.keys(faults) as Fault[]).filter((fault) => all[fault] > 0)
  if (found.length > 0) {
    const wrong = found.map((fault) => `${all[fault]} ${faults[fault].what}`).join('; ')
    return problem(
      `${done} ${wrong} (for example ${ids.join(', ')}).`.trim(),
      found.map((fault) => faults[fault].fix).join(' '),
    )
  }
  if (done) return fine(done)
  return isWhole
    ? fine('Every lead has a contact, and is found by it.')
    : fine('No lead without a contact was found. Not all were looked at, for lack of time.')
}
