import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Lead } from '#contract/leads'

export const LeadLink = ({ lead }: { lead: Pick<Lead, 'id' | 'name'> }) => (
  <Anchor
    fw={600}
    underline="always"
    renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: lead.id }} />}
  >
    {lead.name}
  </Anchor>
)
