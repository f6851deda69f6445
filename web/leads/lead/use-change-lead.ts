import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ChangedLead, LeadChange, LeadInFull } from '#contract/leads'
import { type Data, patch, post } from '../../api.ts'
import { queryClient } from '../../query.ts'
import { notify } from '../../ui/notify.tsx'
import { refreshLeads } from '../queries.ts'
import { leadQuery } from './queries.ts'

interface ChangeRequest {
  change: LeadChange
  /** Shown after it: "City changed to Nagpur". */
  message: string
}

/** Changes the lead, shows a message and offers to undo. Changes of one lead are sent one after the other. */
export function useChangeLead(lead: LeadInFull) {
  const keep = useKeepLead(lead.id)
  const send = async (change: LeadChange) => {
    const changed = await patch<ChangedLead>(`/web/leads/${lead.id}`, change)
    keep(changed.data)
    return changed
  }
  return useMutation({
    scope: { id: `lead ${lead.id}` },
    mutationFn: async ({ change, message }: ChangeRequest) => {
      const changed = await send(change)
      notify(message, () => send(undoing(changed)))
    },
  })
}

/** Adds a note below those of others, and offers to undo. */
export function useAddNote(lead: LeadInFull) {
  const keep = useKeepLead(lead.id)
  return async (written: string) => {
    const text = written.trim()
    const { data } = await post<Data<LeadInFull>>(`/web/leads/${lead.id}/notes`, { text })
    keep(data)
    const undo = async () => {
      const change = { notes: withoutLastNote(data.notes ?? '', text), notes_version: data.notes_version }
      keep((await patch<Data<LeadInFull>>(`/web/leads/${lead.id}`, change)).data)
    }
    notify(t`Note added`, undo)
  }
}

/** The notes without the note that ends them, and the line above it. */
function withoutLastNote(notes: string, text: string): string | null {
  const start = notes.lastIndexOf('\n\n[', notes.length - text.length - 1)
  return start < 0 ? null : notes.slice(0, start)
}

/** Shows the lead as the server answered it, and refreshes the lists that it is in. */
function useKeepLead(id: string) {
  return (lead: LeadInFull) => {
    queryClient.setQueryData(leadQuery(id).queryKey, lead)
    void refreshLeads()
    return lead
  }
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
