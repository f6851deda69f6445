import type { Answer } from '../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry, noEnquiry } from '../../crm/enquiries/enquiry.ts'
import { newTags } from '../../crm/leads/fields.ts'
import type { Submission } from '../../crm/leads/lead.ts'
import type { RowWarning } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import { type LookedUp, lookUp } from './look-up.ts'
import type { RowDraft } from './row-draft.ts'
import type { FollowUp } from './save-follow-ups.ts'
import { valueId } from './unknown-values.ts'

export type ReadRow = { line: number; warnings: RowWarning[] } & (
  | { submission: Submission; followUp: FollowUp | null; unknown: LookedUp['unknown'] }
  | { problem: string }
)

/**
 * Turns a row into a submission. A merge fills empty fields only. `repeated`: the file was imported before, and a row that changes
 * nothing leaves no trace.
 */
export function readRow(plan: ImportPlan, draft: RowDraft, repeated = false): ReadRow {
  const { line, lead, problem, call_again_at, call } = draft
  const { name, assigned_to: _, other_contacts = [], ...fields } = lead
  if (problem !== null || name === undefined) return { line, warnings: draft.warnings, problem: problem ?? '' }
  const { owner, status, priority, lost_reason = null, kept, warnings, unknown } = lookUp(plan, draft)
  const enquiry = withAnswers(draft.enquiry, kept)
  const tags = newTags([], [...(fields.tags ?? []), ...plan.tags])
  const source = fields.source && plan.chosen.size > 0 && plan.chosen.get(valueId('source', fields.source))
  const submission: Submission = {
    given: {
      ...fields,
      ...(status && { status }),
      ...(priority && { priority }),
      ...(source && { source }),
      ...(tags.length > 0 && { tags }),
      name,
      ...(owner && { assigned_to: owner.id }),
    },
    contacts: other_contacts,
    defaults: { source: plan.source, status: 'New', priority: 'Medium' },
    onMatch: 'fill',
    ...(enquiry ? { enquiry } : {}),
    assignment: { ...plan.assignment, webhook_id: null },
    sender: plan.sender,
    received_at: plan.now,
    created_at: draft.created_at,
    updated_at: draft.updated_at,
    // An export with a row for each call repeats the lead in each.
    replayed: repeated || call !== null,
  }
  const followUp = call_again_at || lost_reason ? { call_again_at, lost_reason } : null
  return { line, warnings: [...draft.warnings, ...warnings], submission, followUp, unknown }
}

function withAnswers(enquiry: EnquiryDraft | null, answers: Answer[]): EnquiryDraft | null {
  if (answers.length === 0) return enquiry
  const before = enquiry ?? noEnquiry
  return fitEnquiry({ ...before, answers: [...answers, ...before.answers] })
}
