import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Accordion, Anchor, Button, EmptyState, Group, Skeleton, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { FirstStart, FirstStep } from '#contract/setup/first-start'
import { useMe } from '../../access/account/me.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { StepNumber } from '../../platform/ui/Step.tsx'
import { deviceQuery } from '../../selling/notifications/queries.ts'
import { ThisDevice } from '../../selling/notifications/ThisDevice.tsx'
import { CompanyStep } from './CompanyStep.tsx'
import styles from './FirstStart.module.css'
import { changeFirstStart, firstStartQuery, refreshFirstStart, skippedWith } from './queries.ts'
import { allSteps, countDone, doneText, nextStep, stepTitles } from './steps.ts'

/** Most of the code is of the dialogs that these open. */
const LeadsStep = lazy(() => import('./LeadsStep.tsx'))
const SourceStep = lazy(() => import('./SourceStep.tsx'))
const TeamStep = lazy(() => import('./TeamStep.tsx'))
const RuleStep = lazy(() => import('./RuleStep.tsx'))

/** The first steps of an account. Each can be skipped, and the page be left at any time. */
export function FirstStartPage() {
  const { data: start, error, refetch } = useQuery(firstStartQuery)
  const isNew = useMe().first_start === 'opens'
  useEffect(() => {
    // Without an answer, the page opens by itself once more.
    if (isNew) changeFirstStart({ opened: true }).catch(() => {})
  }, [isNew])
  return (
    <Page
      title={t`First steps`}
      about={t`Set up your account in any order. You can leave this page and continue from the Overview.`}
      actions={start && !start.ended && nextStep(start) && <Dismiss />}
    >
      {start ? (
        <Steps start={start} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={400} maw={800} />
      )}
    </Page>
  )
}

function Dismiss() {
  const navigate = useNavigate()
  const dismiss = useMutation({
    mutationFn: () => changeFirstStart({ ended: true }),
    onSuccess: () => navigate({ to: '/' }),
    onError: notifyProblem,
  })
  return (
    <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
      <Trans>Dismiss</Trans>
    </Button>
  )
}

const contents: Record<FirstStep, () => ReactNode> = {
  company: () => <CompanyStep />,
  team: () => <TeamStep />,
  leads: () => <LeadsStep />,
  source: () => <SourceStep />,
  rule: () => <RuleStep />,
  notifications: () => <NotificationsStep />,
}

function Steps({ start }: { start: FirstStart }) {
  const next = nextStep(start) ?? null
  const [chosen, setChosen] = useState<string | null>()
  return (
    <div className={styles.steps}>
      {next === null ? (
        <EmptyState
          my={32}
          icon={<IconCircleCheck color="var(--green)" />}
          title={t`Your account is set up`}
          description={t`${{ done: countDone(start) }} of ${{ all: allSteps.length }} steps are done. You can change everything in the settings.`}
        >
          <Button component={Link} to="/">
            <Trans>Open the Overview</Trans>
          </Button>
        </EmptyState>
      ) : (
        <Text mb={12} role="status">
          {doneText(start)}
        </Text>
      )}
      <Accordion
        variant="contained"
        order={2}
        value={chosen === undefined ? next : chosen}
        onChange={setChosen}
        keepMounted={false}
      >
        {allSteps.map((step, index) => (
          <Accordion.Item key={step} value={step}>
            <Accordion.Control icon={<StepNumber number={index + 1} done={start.steps[step] === 'done'} />}>
              <span className={styles.title}>
                <Text span fw={600}>
                  {stepTitles[step]}
                </Text>
                {start.steps[step] !== 'open' && (
                  <Text span size="xs" c="dimmed">
                    {start.steps[step] === 'done' ? t`Done` : t`Skipped`}
                  </Text>
                )}
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              <Suspense fallback={<Skeleton height={80} />}>{contents[step]()}</Suspense>
              <Skip start={start} step={step} onSkipped={() => setChosen(undefined)} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </div>
  )
}

/** Nothing is shown for a step that is done. */
function Skip({ start, step, onSkipped }: { start: FirstStart; step: FirstStep; onSkipped(): void }) {
  const isSkipped = start.steps[step] === 'skipped'
  const skip = useMutation({
    mutationFn: () => changeFirstStart({ skipped: skippedWith(start, step, !isSkipped) }),
    onSuccess: onSkipped,
    onError: notifyProblem,
  })
  if (start.steps[step] === 'done') return null
  return (
    <Group mt={16}>
      <Anchor component="button" type="button" c="dimmed" onClick={() => skip.mutate()}>
        {isSkipped ? t`Do not skip this step` : t`Skip this step`}
      </Anchor>
    </Group>
  )
}

function NotificationsStep() {
  const { data: device } = useQuery(deviceQuery)
  useEffect(() => {
    if (device === 'on') void refreshFirstStart()
  }, [device])
  return <ThisDevice />
}
