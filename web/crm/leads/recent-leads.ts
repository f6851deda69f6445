import type { ListedLead } from '#contract/crm/leads'

/** Without what soon changes, such as the status. The contacts of a lead that was called and not opened are not known. */
export type RecentLead = Pick<ListedLead, 'id' | 'name'> & Partial<Pick<ListedLead, 'phone' | 'email'>>

const maxKept = 8
const key = 'recent-leads'

/** The leads that the user opened or called last in this browser, the latest first. */
export function recentLeads(userId: string): RecentLead[] {
  try {
    const { user_id, leads } = JSON.parse(localStorage.getItem(key) ?? '{}')
    return user_id === userId ? leads : []
  } catch {
    return []
  }
}

/** Puts an opened or called lead first. Leads of another user of this browser are forgotten. */
export function keepRecentLead(userId: string, { id, name, ...more }: RecentLead) {
  const held = recentLeads(userId).find((lead) => lead.id === id)
  const { phone = held?.phone, email = held?.email } = more
  write(userId, [{ id, name, phone, email }, ...othersThan(id, userId)].slice(0, maxKept))
}

/** Forgets a lead that was deleted, or that the user may not see any more. */
export const forgetRecentLead = (userId: string, id: string) => write(userId, othersThan(id, userId))

/** The next user of this browser must not read names of these leads. */
export const forgetRecentLeads = () => localStorage.removeItem(key)

const othersThan = (id: string, userId: string) => recentLeads(userId).filter((lead) => lead.id !== id)

function write(userId: string, leads: RecentLead[]) {
  try {
    localStorage.setItem(key, JSON.stringify({ user_id: userId, leads }))
  } catch {
    // A browser without room offers no recent leads.
  }
}
