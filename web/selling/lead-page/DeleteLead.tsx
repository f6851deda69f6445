import { plural, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/leads'
import { remove } from '../../api.ts'
import { useMe } from '../../me.ts'
import { queryClient } from '../../query.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { notify } from '../../ui/notify.tsx'
import { leadQuery, refreshLeads } from '../queries.ts'
import { forgetRecentLead } from '../recent-leads.ts'

interface Props {
  lead: LeadInFull
  opened: boolean
  onClose(): void
}

export function DeleteLead({ lead, opened, onClose }: Props) {
  const navigate = useNavigate()
  const { id: userId } = useMe()
  const { name } = lead
  const { total } = lead.calls
  const deleteLead = async () => {
    await remove(`/web/leads/${lead.id}`)
    forgetRecentLead(userId, lead.id)
    notify(t`${name} deleted`)
    await navigate({ to: '/leads', search: true })
    queryClient.removeQueries({ queryKey: leadQuery(lead.id).queryKey })
    void refreshLeads()
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Delete ${name}?`}
      action={t`Delete lead`}
      onConfirm={deleteLead}
    >
      {total > 0
        ? t`${name} will be permanently deleted, with ${plural(total, { one: '# call', other: '# calls' })}, the notes, the timeline and the payloads of its deliveries. You cannot undo this.`
        : t`${name} will be permanently deleted, with the notes, the timeline and the payloads of its deliveries. You cannot undo this.`}
    </ConfirmDialog>
  )
}
