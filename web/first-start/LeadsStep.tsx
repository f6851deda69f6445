import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { samplesAtOnce, sampleTag } from '#contract/demo'
import { addSamples, samplesQuery } from '../demo/queries.ts'
import { RemoveSamples } from '../demo/RemoveSamples.tsx'
import { notifyProblem } from '../ui/notify.tsx'
import { formatCount } from '../ui/numbers.ts'
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
          Your account has {formatCount(samples.leads, 'sample lead')} with the tag “{sampleTag}”. Remove them before
          you work with your own.
        </Text>
        <Group gap={8}>
          <Button component={Link} to="/leads" variant="default">
            Open leads
          </Button>
          <RemoveSamples leads={samples.leads} onRemoved={refreshFirstStart} />
        </Group>
      </>
    )
  return (
    <>
      <Text mb={12}>
        Try everything with {samplesAtOnce} invented leads and their calls. Their phone numbers are reserved for
        fiction. You can remove them at any time, without touching your own leads.
      </Text>
      <Group gap={8}>
        <Button loading={add.isPending} onClick={() => add.mutate()}>
          Add sample data
        </Button>
        <Button component={Link} to="/leads/import" variant="default">
          Import a file
        </Button>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
          Add a lead
        </Button>
      </Group>
    </>
  )
}
