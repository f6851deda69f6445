import { useNavigate } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/leads'
import { remove } from '../../api.ts'
import { queryClient } from '../../query.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { notify } from '../../ui/notify.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { refreshLeads } from '../queries.ts'
import { leadQuery } from './queries.ts'

interface Props {
  lead: LeadInFull
  opened: boolean
  onClose(): void
}

export function DeleteLead({ lead, opened, onClose }: Props) {
  const navigate = useNavigate()
  const { total } = lead.calls
  const leave = async () => {
    await remove(`/web/leads/${lead.id}`)
    notify(`${lead.name} deleted`)
    await navigate({ to: '/leads', search: (search) => search })
    queryClient.removeQueries({ queryKey: leadQuery(lead.id).queryKey })
    void refreshLeads()
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${lead.name}?`}
      action="Delete lead"
      onConfirm={leave}
    >
      {lead.name} goes for good, with {total > 0 ? `${formatCount(total, 'call')}, ` : ''}the notes, the timeline and
      what webhooks delivered for this lead. It cannot be undone.
    </ConfirmDialog>
  )
}
