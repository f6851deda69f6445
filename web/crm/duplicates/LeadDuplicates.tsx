import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
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
            {merged.by === null
              ? t`A user merged “${{ name: merged.name }}” into this lead on ${{ time: formatDateTime(merged.at) }}.`
              : t`${{ user: merged.by }} merged “${{ name: merged.name }}” into this lead on ${{ time: formatDateTime(merged.at) }}.`}
          </Text>
          <Button
            size="compact-sm"
            mih={32}
            variant="default"
            flex="none"
            loading={undo.isPending}
            onClick={() => undo.mutate(merged.name)}
          >
            <Trans>Undo merge</Trans>
          </Button>
        </Group>
      )}
      {possible.map(({ lead: { id, name }, reason }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap={8}>
          <Text inherit>
            <Trans>
              Possible duplicate:{' '}
              <Anchor
                inherit
                renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: id }} search={true} />}
              >
                {name}
              </Anchor>
            </Trans>
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
            aria-label={t`Compare with ${name}`}
            renderRoot={(props) => <Link {...props} to="/leads/merge" search={{ keep: lead.id, other: id }} />}
          >
            <Trans>Compare</Trans>
          </Button>
        </Group>
      ))}
    </Alert>
  )
}
