import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ChangedLead, LeadChange, LeadInFull } from '#contract/crm/leads'
import { leadQuery, refreshLeads } from '../../crm/leads/queries.ts'
import { type Data, patch, post } from '../../platform/api/api.ts'
import { sendChange } from '../../platform/api/query.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'

interface ChangeRequest {
  change: LeadChange
  /** Shown after it: "City changed to Nagpur". */
  message: string
  /** The values before the change that this one goes on from: undoing it undoes both. */
  first?: PreviousValues | undefined
}

type PreviousValues = ChangedLead['previous']

/** Changes the lead, shows a message and offers to undo. Returns the values before. */
export function useChangeLead({ id }: LeadInFull) {
  const send = (change: LeadChange) => keepLead(id, () => patch<ChangedLead>(`/web/leads/${id}`, change))
  return useMutation({
    mutationFn: async ({ change, message, first }: ChangeRequest) => {
      const { data, previous: own } = await send(change)
      const previous = { ...own, ...first }
      const isEnded = previous.call_again_at && data.call_again_at === null && change.call_again_at === undefined
      const time = isEnded && formatDateTime(previous.call_again_at!)
      const text = time ? t`${message}. Call of ${time} ended` : message
      notify(text, () => send(undoing({ data, previous })))
      return previous
    },
  })
}

/** Sets a field, and says the new value. */
export function useSetField(lead: LeadInFull) {
  const { mutateAsync } = useChangeLead(lead)
  return (change: LeadChange, field: string, value: string | null, first?: PreviousValues) =>
    mutateAsync({ change, message: value ? t`${field} changed to ${value}` : t`${field} removed`, first })
}

/** Adds a note below those of others, and offers to undo. */
export function useAddNote({ id }: LeadInFull) {
  return async (written: string) => {
    const text = written.trim()
    const { data } = await keepLead(id, () => post<Data<LeadInFull>>(`/web/leads/${id}/notes`, { text }))
    const undo = () => {
      const change = { notes: withoutLastNote(data.notes ?? '', text), notes_version: data.notes_version }
      return keepLead(id, () => patch<Data<LeadInFull>>(`/web/leads/${id}`, change))
    }
    notify(t`Note added`, undo)
  }
}

/** The notes without the note that ends them, and the line above it. */
function withoutLastNote(notes: string, text: string): string | null {
  const start = notes.lastIndexOf('\n\n[', notes.length - text.length - 1)
  return start < 0 ? null : notes.slice(0, start)
}

/** Shows the lead as the server answers it, and refreshes the lists that it is in. */
async function keepLead<Answer extends Data<LeadInFull>>(id: string, send: () => Promise<Answer>): Promise<Answer> {
  const answer = await sendChange(leadQuery(id), send)
  void refreshLeads()
  return answer
}

/** The change back. Notes are restored only if they are still as the change left them. */
function undoing({ data, previous: { tags, other_contacts, ...fields } }: ChangedLead): LeadChange {
  return {
    ...(fields as LeadChange),
    ...(fields.notes === undefined ? {} : { notes_version: data.notes_version }),
    ...(tags ? tagsChange(data.tags, tags) : {}),
    ...(other_contacts ? contactsChange(valuesOf(data.other_contacts), other_contacts) : {}),
  }
}

const valuesOf = (contacts: LeadInFull['other_contacts']) => contacts.map(({ value }) => value)

/** The tags to add and remove between two lists. */
export function tagsChange(from: string[], to: string[]): Pick<LeadChange, 'add_tags' | 'remove_tags'> {
  const { added, removed } = difference(from, to)
  return { add_tags: added, remove_tags: removed }
}

/** The same for other contacts. */
export function contactsChange(from: string[], to: string[]): Pick<LeadChange, 'add_contacts' | 'remove_contacts'> {
  const { added, removed } = difference(from, to)
  return { add_contacts: added, remove_contacts: removed }
}

const difference = (from: string[], to: string[]) => ({
  added: to.filter((value) => !from.includes(value)),
  removed: from.filter((value) => !to.includes(value)),
})
