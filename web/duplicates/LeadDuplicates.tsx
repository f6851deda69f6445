import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/leads'
import { useMe } from '../me.ts'
import { notifyProblem } from '../ui/notify.tsx'
import { formatDateTime } from '../ui/time.ts'
import { duplicatesOfLeadQuery, reasonText, undoMerge } from './queries.ts'

/** Above a lead: its possible duplicates, and the last merge into it while it can be undone. */
export function LeadDuplicates({ lead }: { lead: LeadInFull }) {
  const { role } = useMe()
  const { data } = useQuery({ ...duplicatesOfLeadQuery(lead.id), enabled: role !== 'Agent' })
  const undo = useMutation({
    mutationFn: (name: string) => undoMerge(lead.id, name),
    onError: notifyProblem,
  })
  if (!data || (data.possible.length === 0 && !data.merged)) return null
  const { possible, merged } = data
  return (
    <Alert variant="default" icon={<IconArrowMerge color="var(--violet)" />} p={12} mt={16}>
      {merged && (
        <Group justify="space-between" wrap="nowrap" gap={8}>
          <Text inherit>
            {merged.by ?? 'A user'} merged “{merged.name}” into this lead on {formatDateTime(merged.at)}.
          </Text>
          <Button
            size="compact-sm"
            mih={32}
            variant="default"
            flex="none"
            loading={undo.isPending}
            onClick={() => undo.mutate(merged.name)}
          >
            Undo merge
          </Button>
        </Group>
      )}
      {possible.map(({ lead: other, reason }) => (
        <Group key={other.id} justify="space-between" wrap="nowrap" gap={8}>
          <Text inherit>
            Possible duplicate:{' '}
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link {...props} to="/leads/$leadId" params={{ leadId: other.id }} search={true} />
              )}
            >
              {other.name}
            </Anchor>
            <Text span inherit c="dimmed">
              {' '}
              · {reasonText[reason]}
            </Text>
          </Text>
          <Button
            size="compact-sm"
            mih={32}
            variant="default"
            flex="none"
            aria-label={`Compare with ${other.name}`}
            renderRoot={(props) => <Link {...props} to="/leads/merge" search={{ keep: lead.id, other: other.id }} />}
          >
            Compare
          </Button>
        </Group>
      ))}
    </Alert>
  )
}
