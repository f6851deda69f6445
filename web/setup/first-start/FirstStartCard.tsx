import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Panel } from '../../platform/ui/Panel.tsx'
import { changeFirstStart, firstStartQuery } from './queries.ts'
import { allSteps, countDone, nextStep, nextTexts } from './steps.ts'

/** Resumes the first steps of the account, until they are done or dismissed. */
export function FirstStartCard() {
  const { data: start } = useQuery({ ...firstStartQuery, enabled: useMe().first_start !== 'ended' })
  const dismiss = useMutation({
    mutationFn: () => changeFirstStart({ ended: true }),
    onSuccess: () => notify(t`First steps dismissed`),
    onError: notifyProblem,
  })
  const next = start && nextStep(start)
  if (!start || start.ended || !next) return null
  const done = countDone(start)
  return (
    <Box mb={16}>
      <Panel title={t`First steps`} id="first-steps">
        <Progress value={(100 * done) / allSteps.length} aria-label={t`Steps done`} mb={8} />
        <Text mb={12}>
          {t`${done} of ${{ all: allSteps.length }} done.`} {nextTexts[next]}
        </Text>
        <Group gap={8}>
          <Button component={Link} to="/start">
            <Trans>Continue</Trans>
          </Button>
          <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
            <Trans>Dismiss</Trans>
          </Button>
        </Group>
      </Panel>
    </Box>
  )
}
