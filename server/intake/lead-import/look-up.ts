import { msg } from '@lingui/core/runtime-macro'
import type { User } from '../../access/account/users.ts'
import type { Answer } from '../../crm/enquiries/contract.ts'
import { type LeadPriority, type LeadStatus, leadPriorities, leadStatuses } from '../../crm/leads/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { folded } from '../../platform/text/contract.ts'
import type { RowWarning, ValueField, WarningKind } from './contract.ts'
import { chosenOwner, findOwner } from './find-owner.ts'
import type { ImportPlan } from './import-plan.ts'
import { type NamedCell, shown } from './row-cell.ts'
import type { Lookup, RowDraft } from './row-draft.ts'
import { valueId } from './unknown-values.ts'

/** What a row says in words that only the account, or a choice of the user, gives a meaning. */
export interface LookedUp {
  owner?: User | undefined
  status?: LeadStatus | undefined
  priority?: LeadPriority | undefined
  lost_reason?: string
  /** What has no meaning. */
  kept: Answer[]
  warnings: RowWarning[]
  /** The values that need a choice, also if they have one. */
  unknown: { field: ValueField; value: string }[]
}

const oneOf = <Value extends string>(all: readonly Value[], text: string) => all.find((one) => one === text)

export function lookUp(plan: ImportPlan, { lookups, lead }: RowDraft): LookedUp {
  const result: LookedUp = { kept: [], warnings: [], unknown: [] }
  const keep = (cell: NamedCell, kind: WarningKind | null, text: Text) => {
    result.kept.push({ question: cell.name, answer: cell.value })
    if (kind) result.warnings.push({ kind, text: translate(text, plan.language) })
  }
  /** Returns what the user chose for the value, and keeps it if that is nothing. */
  const choose = <Chosen>(
    cell: Lookup,
    field: 'assigned_to' | 'status' | 'priority',
    { read, otherwise }: { read: (chosen: string) => Chosen | undefined; otherwise: Text },
  ): Chosen | undefined => {
    result.unknown.push({ field, value: cell.value })
    const chosen = plan.chosen.get(valueId(field, cell.value))
    const meant = chosen ? read(chosen) : undefined
    if (meant === undefined) keep(cell, chosen === '' ? null : field === 'assigned_to' ? 'owner' : field, otherwise)
    return meant
  }
  for (const cell of lookups) {
    const value = shown(cell.value)
    if (cell.field === 'assigned_to') {
      const otherwise = msg`“${{ value }}” is not an active user that you may see; it is kept as an answer`
      const read = (email: string) => chosenOwner(plan, email)
      result.owner = findOwner(plan, cell.value) ?? choose(cell, 'assigned_to', { read, otherwise })
    } else if (cell.field === 'status') {
      const otherwise = msg`“${{ value }}” is not a status; it is kept as an answer`
      result.status = choose(cell, 'status', { read: (chosen) => oneOf(leadStatuses, chosen), otherwise })
    } else if (cell.field === 'priority') {
      const otherwise = msg`“${{ value }}” is not a priority; it is kept as an answer`
      result.priority = choose(cell, 'priority', { read: (chosen) => oneOf(leadPriorities, chosen), otherwise })
    }
  }
  for (const cell of lookups.filter(({ field }) => field === 'lost_reason')) {
    const value = shown(cell.value)
    const reason = plan.account.lostReasons.find((one) => folded(one) === folded(cell.value.trim()))
    const isLost = (result.status ?? lead.status) === 'Lost'
    if (!reason)
      keep(cell, 'lost_reason', msg`“${{ value }}” is no reason that Admins set under Account; it is kept as an answer`)
    else if (isLost) result.lost_reason = reason
    else keep(cell, 'lost_reason', msg`The lead is not lost, so “${{ value }}” is kept as an answer`)
  }
  return result
}
