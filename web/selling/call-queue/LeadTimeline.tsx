import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { leadQuery } from '../../crm/leads/queries.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timeline } from '../lead-page/Timeline.tsx'

/** What happened to the lead: beside the queue there is room for it. */
export default function LeadTimeline({ leadId }: { leadId: string }) {
  // Not that of the lead before.
  const { data, error, refetch } = useQuery({ ...leadQuery(leadId), placeholderData: () => undefined })
  if (data) return <Timeline lead={data} headings={3} />
  return error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton height={160} />
}
