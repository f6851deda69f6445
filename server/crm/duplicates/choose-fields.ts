import { isSharedPlaceholder } from '../contacts/contract.ts'
import type { LeadFields } from '../leads/lead.ts'
import { isEmpty } from '../leads/merge-lead.ts'
import { type ChosenField, chosenFields } from './contract.ts'

export interface ComparedLead extends LeadFields {
  created_at: Date
  updated_at: Date
  call_again_at: Date | null
}

/** A lead that was lost and enquires under another contact is open again. */
const statusOrder = ['Lost', 'New', 'Contacted', 'Qualified', 'Proposal', 'Won']
const priorityOrder = ['Low', 'Medium', 'High']

/**
 * Returns the fields of which a merge takes the other lead's value, if the user chooses nothing else: what the kept lead has not, the
 * further status, the higher priority, the source of the lead that came first, the next call, and else what was written last. A phone
 * and an email of the kept lead stay.
 */
export function chooseFields(kept: ComparedLead, other: ComparedLead): ChosenField[] {
  return chosenFields.filter((field) => !isSame(kept[field], other[field]) && isOthersBetter(kept, other, field))
}

function isOthersBetter(kept: ComparedLead, other: ComparedLead, field: ChosenField): boolean {
  if (field === 'call_again_at') return other[field] !== null && (kept[field] === null || other[field] < kept[field])
  if (other[field] === null || isEmpty(other, field)) return false
  if (kept[field] === null || isEmpty(kept, field)) return true
  switch (field) {
    case 'status':
      return statusOrder.indexOf(other.status) > statusOrder.indexOf(kept.status)
    case 'priority':
      return priorityOrder.indexOf(other.priority) > priorityOrder.indexOf(kept.priority)
    case 'source':
      return other.created_at < kept.created_at
    case 'phone':
    case 'email':
      return isSharedPlaceholder(kept[field])
    case 'assigned_to':
      return false
    default:
      return other.updated_at > kept.updated_at
  }
}

const isSame = (one: unknown, other: unknown) =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other
