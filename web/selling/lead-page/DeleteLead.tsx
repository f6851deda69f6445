import { plural, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { leadQuery, refreshLeads } from '../../crm/leads/queries.ts'
import { forgetRecentLead } from '../../crm/leads/recent-leads.ts'
import { remove } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'

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
