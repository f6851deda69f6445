import { meaningOf } from './label.ts'
import { type Group, isExternal, isOurs, type Leaf } from './leaves.ts'

export type Role = 'staff' | 'person' | 'message' | 'company'

const roles: Record<Role, RegExp> = {
  staff:
    /^(business[_ -]?owner|agent|admin|operator|bot|staff|employee|owner|host|system|assistant|seller|vendor|rep|representative|teammate|affiliate|producer|driver|internal|(primary[ _-])?technician|to|cc|bcc|message_?to_?(visitor|customer|user))$/i,
  person:
    /^(customer|visitor|contact|lead|client|guest|end[_-]?user|user|buyer|subscriber|consumer|prospect|external|from|requester)$/i,
  message: /^(message|msg|message_?to_?(operator|agent))$/i,
  company: /^(company|organi[sz]ation)$/i,
}

/** Returns what records say that they are, such as a `type` or a `role` of `visitor`. */
export function rolesIn(leaves: Leaf[], withContact: ReadonlySet<Group>): Map<Group, Role> {
  const found = new Map<Group, Role>()
  // In a list of clients and users, the users are of the business.
  const besideClients = new Set(
    leaves.flatMap(({ labels, value, around }) =>
      /^type$/i.test(labels[0] ?? '') && /^(client|customer|visitor|contact)$/i.test(value) && around[0]
        ? around[0]
        : [],
    ),
  )
  for (const { labels, value, around, group } of leaves) {
    const label = labels[0] ?? ''
    if (value === 'true' && isOurs.test(label)) found.set(group, 'staff')
    if (isExternal.test(label)) found.set(group, value === 'external' ? 'person' : 'staff')
    // An assignee is a user too.
    const isAssignee = /^user$/i.test(value) && meaningOf(around[0] ?? '').staff
    const isAgent = /^user$/i.test(value) && besideClients.has(around[0] ?? '')
    const role = isAgent
      ? 'staff'
      : roleKey.test(label) && /^[\w -]{3,24}$/.test(value) && !isAssignee
        ? roleOf(value)
        : undefined
    if (role) found.set(group, role)
    const isExtension = /^type$/i.test(label) && around.length > 0 && extensions.test(value)
    if (isExtension && !withContact.has(group)) found.set(group, 'staff')
  }
  for (const { labels, value, group } of leaves)
    if (/^type$/i.test(labels[0] ?? '') && sellers.test(value) && withContact.has(group)) found.delete(group)
  for (const group of employersIn(leaves)) found.set(group, 'company')
  return found
}

const roleKey = /^((user|actor|participant|sender|author|contact|message)?[_ -]?(type|role|kind|scope))$/i

function roleOf(type: string): Role | undefined {
  return (['staff', 'person', 'message', 'company'] as const).find((role) => roles[role].test(type))
}

/** As the type of a record with a contact: a lead who wants to sell. */
const sellers = /^(vendor|seller|owner)$/i

/** Where a phone system puts a call through to. */
const extensions = /^((ring|hunt|call)[ _-]?group|(call[ _-]?)?queue|department|extension|ivr)$/i

/** The people to contact at a company. */
export const contactPersons =
  /^(contact[ _-]?persons?([ _-]?details)?|contactpersonen|ansprechpartner|contactos|contatos|contatti|kontakte)$/i

/** Returns the records of companies: those with contacts who have a position. */
function employersIn(leaves: Leaf[]): Group[] {
  return leaves.flatMap(({ labels, around, group }) => {
    if (!/^contacts$/i.test(around[0] ?? '') && !contactPersons.test(around[0] ?? '')) return []
    if (
      !/^((job[ _-]?)?(title|position|role|designation)|functie|funktion|cargo|fonction|ruolo|puesto)$/i.test(
        labels[0] ?? '',
      )
    )
      return []
    let outer: Group | undefined = group
    while (outer?.name === around[0]) outer = outer?.parent
    return outer ?? []
  })
}
