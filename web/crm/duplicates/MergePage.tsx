import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowsLeftRight } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ChosenField, chosenFields, type LeadComparison } from '#contract/crm/duplicates'
import { ApiProblem, isNotFound, post } from '../../platform/api/api.ts'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { refreshLeads } from '../leads/queries.ts'
import styles from './Duplicates.module.css'
import { FieldChoice } from './FieldChoice.tsx'
import { KeptOfBoth } from './KeptOfBoth.tsx'
import { LeadHeads } from './LeadHeads.tsx'
import { LeadHistory } from './LeadHistory.tsx'
import { comparisonQuery, dismissPairs, duplicatesQuery, undoMerge } from './queries.ts'
import { pageOf, useNextPair } from './use-next-pair.ts'

const route = getRouteApi('/signed-in/not-for-agents/leads/merge')

/** Two leads side by side, and what a merge takes of each. */
export function MergePage() {
  const { keep = '', other = '', pair } = route.useSearch()
  const { data, error, refetch } = useQuery(comparisonQuery(keep, other))
  return (
    <Page
      title={t`Merge leads`}
      about={t`Two leads of one person become one. It keeps the contacts, calls, timeline and deliveries of both. You can undo this for a day.`}
      back={
        <BackLink
          renderRoot={(props) => (
            <Link {...props} to="/leads/duplicates" search={pair === undefined ? {} : { offset: pageOf(pair) }} />
          )}
        >
          <Trans>Possible duplicates</Trans>
        </BackLink>
      }
    >
      {pair !== undefined && <PlaceInList pair={pair} />}
      {error ? (
        <Problem error={isNotFound(error) ? noLead : error} retry={() => void refetch()} />
      ) : data ? (
        <MergeForm key={versionsOf(data)} comparison={data} reload={() => void refetch()} />
      ) : (
        <Skeleton height={360} />
      )}
    </Page>
  )
}

/** "2 of 14", and the way to the next pair. */
function PlaceInList({ pair }: { pair: number }) {
  const { keep = '', other = '', done = 0 } = route.useSearch()
  const openPair = useNextPair()
  const { data } = useQuery(duplicatesQuery(pair - 1, 1))
  const total = done + Math.max(data?.pagination.total ?? 0, pair)
  const dismiss = async () => {
    await dismissPairs([{ lead_id: keep, other_id: other }])
    await openPair(pair, done + 1)
    notify(t`The leads are kept as two leads`)
  }
  return (
    <Group gap={8} mb={16}>
      <Text c="dimmed" mih={24}>
        {data && t`${{ place: formatNumber(done + pair) }} of ${{ total: formatNumber(total) }}`}
      </Text>
      <Button variant="default" size="compact-sm" mih={32} onClick={() => void dismiss().catch(notifyProblem)}>
        <Trans>Not the same person</Trans>
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        mih={32}
        onClick={() => void openPair(pair + 1, done).catch(notifyProblem)}
      >
        <Trans>Skip</Trans>
      </Button>
    </Group>
  )
}

/** Choices are those of the leads as they are compared. */
const versionsOf = (comparison: LeadComparison) =>
  [comparison.kept, comparison.other].map(({ id, updated_at }) => `${id} ${updated_at}`).join()

const noLead = new ApiProblem(404, {
  code: 'NOT_FOUND',
  message: t`One of the leads was deleted or merged, or you do not have access to it.`,
})

function MergeForm({ comparison: { kept, other, take }, reload }: { comparison: LeadComparison; reload(): void }) {
  const navigate = route.useNavigate()
  const { pair, done = 0 } = route.useSearch()
  const openPair = useNextPair()
  const [taken, setTaken] = useState<ReadonlySet<ChosenField>>(new Set(take))
  const choose = (field: ChosenField, isOthers: boolean) => {
    const next = new Set(taken)
    if (isOthers) next.add(field)
    else next.delete(field)
    setTaken(next)
  }
  const differing = chosenFields.filter((field) => kept[field] !== other[field])
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      post(`/web/leads/${kept.id}/merge`, {
        other_id: other.id,
        take: differing.filter((field) => taken.has(field)),
        updated_at: kept.updated_at,
        other_updated_at: other.updated_at,
      }),
    onSuccess: async () => {
      await refreshLeads()
      const undo = () => undoMerge(kept.id, other.name)
      if (pair === undefined) {
        await navigate({ to: '/leads/$leadId', params: { leadId: kept.id }, search: {} })
        return notify(t`Merged “${{ name: other.name }}” into this lead`, undo)
      }
      await openPair(pair, done + 1)
      notify(t`Merged “${{ name: other.name }}” into “${{ kept: kept.name }}”`, undo)
    },
  })
  const isOutdated = error instanceof ApiProblem && error.status === 409
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <Stack gap={32}>
        <div>
          <LeadHeads kept={kept} other={other} />
          {differing.map((field) => (
            <FieldChoice
              key={field}
              field={field}
              leads={[kept, other]}
              isOthers={taken.has(field)}
              onChoose={(isOthers) => choose(field, isOthers)}
            />
          ))}
          <KeptOfBoth kept={kept} other={other} />
        </div>
        <Stack gap={12}>
          <Problem error={error} />
          <Group gap={8}>
            {isOutdated ? (
              <Button onClick={reload}>
                <Trans>Compare again</Trans>
              </Button>
            ) : (
              <Button type="submit" loading={isPending || isSuccess}>
                <Trans>Merge leads</Trans>
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconArrowsLeftRight size={16} aria-hidden />}
              renderRoot={(props) => (
                <Link {...props} to="/leads/merge" search={{ keep: other.id, other: kept.id, pair, done }} replace />
              )}
            >
              <Trans>Keep the other lead</Trans>
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            <Trans>Links to the other lead open the kept lead.</Trans>
          </Text>
        </Stack>
        <Section title={t`History`}>
          <div className={styles.sides}>
            <LeadHistory lead={kept} />
            <LeadHistory lead={other} />
          </div>
        </Section>
      </Stack>
    </form>
  )
}
