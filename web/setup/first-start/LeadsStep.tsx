import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { samplesAtOnce, sampleTag } from '#contract/setup/demo'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { addSamples, samplesQuery } from '../demo/queries.ts'
import { RemoveSamples } from '../demo/RemoveSamples.tsx'
import { refreshFirstStart } from './queries.ts'

export default function LeadsStep() {
  const { data: samples } = useQuery(samplesQuery)
  const add = useMutation({
    mutationFn: async () => {
      await addSamples()
      await refreshFirstStart()
    },
    onError: notifyProblem,
  })
  if (samples && samples.leads > 0)
    return (
      <>
        <Text mb={12}>
          {t`Your account has ${plural({ leads: samples.leads }, { one: '# sample lead', other: '# sample leads' })} with the tag “${sampleTag}”. Remove them before you work with your own.`}
        </Text>
        <Group gap={8}>
          <Button component={Link} to="/leads" variant="default">
            <Trans>Open leads</Trans>
          </Button>
          <RemoveSamples leads={samples.leads} onRemoved={refreshFirstStart} />
        </Group>
      </>
    )
  return (
    <>
      <Text mb={12}>
        <Trans>
          Try everything with {samplesAtOnce} invented leads and their calls. Their phone numbers are reserved for
          fiction. You can remove them at any time, without touching your own leads.
        </Trans>
      </Text>
      <Group gap={8}>
        <Button loading={add.isPending} onClick={() => add.mutate()}>
          <Trans>Add sample data</Trans>
        </Button>
        <Button component={Link} to="/leads/import" variant="default">
          <Trans>Import a file</Trans>
        </Button>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
          <Trans>Add a lead</Trans>
        </Button>
      </Group>
    </>
  )
}
