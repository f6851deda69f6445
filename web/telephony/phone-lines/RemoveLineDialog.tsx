import { plural, t } from '@lingui/core/macro'
import { Checkbox, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LineCredits, UserPhoneLine } from '#contract/telephony/phone-lines'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { creditsQuery, removeLine } from './queries.ts'

interface Props {
  line: UserPhoneLine
  /** The name of its user. */
  name: string
  opened: boolean
  onClose(): void
}

const shownCalls = 10

/** Removes a line, on request with what it changed: of a number that was never the user's. */
export function RemoveLineDialog({ line, name, opened, onClose }: Props) {
  const { written } = line
  const [takesBack, setTakesBack] = useState(false)
  const { data: credits, error, refetch } = useQuery({ ...creditsQuery(line.line), enabled: opened })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Remove ${written} of ${name}?`}
      action={t`Remove number`}
      onConfirm={async () => {
        const { calls, leads } = await removeLine(line, takesBack)
        notify(
          takesBack
            ? t`${written} removed: ${plural(calls, { one: '# call', other: '# calls' })} taken back, ${plural(leads, { one: '# lead', other: '# leads' })} unassigned`
            : t`${written} removed`,
        )
      }}
    >
      <Problem error={error} retry={() => void refetch()} />
      {credits && (
        <Stack gap={12}>
          <Text>{t`Calls that count for ${name} because of it: ${{ count: credits.calls }}. They stay, unless you take them back.`}</Text>
          {credits.calls > 0 && (
            <>
              <List size="sm">
                {credits.newest.slice(0, shownCalls).map(({ id, lead_id, lead_name, called_at }) => (
                  <List.Item key={id}>
                    <Link to="/leads/$leadId" params={{ leadId: lead_id }}>
                      {lead_name}
                    </Link>{' '}
                    · <Timestamp at={called_at} short />
                  </List.Item>
                ))}
              </List>
              <Checkbox
                checked={takesBack}
                onChange={({ currentTarget }) => setTakesBack(currentTarget.checked)}
                label={t`Take back its calls`}
                description={aboutTaking(credits, name)}
              />
            </>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  )
}

const aboutTaking = ({ leads }: LineCredits, name: string) =>
  leads === 0
    ? t`They become calls of an unknown agent, and you can connect it to another user.`
    : t`They become calls of an unknown agent. Leads that ${name} owns because they answered become unassigned: ${{ count: leads }}.`
