import { Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { Panel } from '../overview/Panel.tsx'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { changeFirstStart, firstStartQuery } from './queries.ts'
import { allSteps, countDone, nextStep, stepTitles } from './steps.ts'

/** Resumes the first steps of the account, until they are done or dismissed. */
export function FirstStartCard() {
  const { data: start } = useQuery({ ...firstStartQuery, enabled: useMe().first_start !== 'ended' })
  const dismiss = useMutation({
    mutationFn: () => changeFirstStart({ ended: true }),
    onSuccess: () => notify('First steps dismissed'),
    onError: notifyProblem,
  })
  const next = start && nextStep(start)
  if (!start || start.ended || !next) return null
  const done = countDone(start)
  return (
    <Panel title="First steps" id="first-steps">
      <Progress value={(100 * done) / allSteps.length} aria-label="Steps done" mb={8} />
      <Text mb={12}>
        {done} of {allSteps.length} done. Next: {stepTitles[next].toLowerCase()}.
      </Text>
      <Group gap={8}>
        <Button component={Link} to="/start">
          Continue
        </Button>
        <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
      </Group>
    </Panel>
  )
}
