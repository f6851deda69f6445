import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, EmptyState, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Rule } from '#contract/crm/distribution'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { contains } from '../../platform/ui/find-options.ts'
import { NoMatches } from '../../platform/ui/NoMatches.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import styles from './Distribution.module.css'
import { FallbackOwner } from './FallbackOwner.tsx'
import { rulesQuery, useRemoveRule, webhookNamesQuery } from './queries.ts'
import { RecentAssignments } from './RecentAssignments.tsx'
import { RuleDialog } from './RuleDialog.tsx'
import { RuleList } from './RuleList.tsx'
import { RulePreview } from './RulePreview.tsx'
import { conditionsInWords } from './rule-words.ts'

type Asked = { what: 'edit'; rule: Rule | undefined } | { what: 'delete'; rule: Rule }

const route = getRouteApi('/signed-in/admins/settings/distribution')

/** So few are seen at a glance. */
const fewRules = 8

export function DistributionPage() {
  const { data: rules, error, refetch } = useQuery(rulesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const removeRule = useRemoveRule()
  const [asked, setAsked] = useState<Asked>({ what: 'edit', rule: undefined })
  const [opened, setOpened] = useState(false)
  const [matchingRuleId, setMatchingRuleId] = useState<string>()

  const noteOpener = useReturnFocus(opened)
  const ask = (question: Asked) => {
    noteOpener()
    setAsked(question)
    setOpened(true)
  }
  const close = () => setOpened(false)
  const create = () => ask({ what: 'edit', rule: undefined })
  useAddKey(create)
  const webhookName = (id: string) => webhooks.find(({ value }) => value === id)?.label ?? t`(deleted)`
  const { search = '' } = route.useSearch()
  const navigate = useNavigate({ from: '/settings/distribution' })
  const onSearch = useCallback(
    (text: string) => void navigate({ search: { search: text || undefined }, replace: true }),
    [navigate],
  )
  const shown = rules?.filter((rule) =>
    [rule.name, conditionsInWords(rule, webhookName), ...rule.people.map(({ name }) => name)].some((text) =>
      contains(text, search),
    ),
  )

  return (
    <Page
      title={t`Lead distribution`}
      about={t`Assigns new leads that have no owner. The first matching rule with an available user applies; its assignees get leads by round robin, or the first to claim a lead owns it.`}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={create}>
          <Trans>Create rule</Trans>
        </Button>
      }
    >
      <Stack gap={32}>
        <div className={styles.columns}>
          <section aria-labelledby="rules">
            <Title order={2} id="rules" mb={8}>
              <Trans>Rules</Trans>
            </Title>
            <Problem error={error} retry={() => void refetch()} />
            {!rules && !error && (
              <Stack gap={8} aria-busy>
                <Skeleton height={95} />
                <Skeleton height={95} />
              </Stack>
            )}
            {rules?.length === 0 && (
              <EmptyState
                my={32}
                icon={<IconRoute />}
                title={t`No rules yet`}
                description={t`Rules assign new leads by source, campaign, product, answer, city, tag or webhook, to one user or to several by round robin.`}
              >
                <EmptyState.Actions>
                  <Button variant="default" onClick={create}>
                    <Trans>Create the first rule</Trans>
                  </Button>
                </EmptyState.Actions>
              </EmptyState>
            )}
            {rules && (search || rules.length > fewRules) && (
              <Box mb={8}>
                <SearchField label={t`Name, condition, assignee…`} value={search} onSearch={onSearch} />
              </Box>
            )}
            {rules && rules.length > 0 && shown?.length === 0 && (
              <NoMatches
                icon={<IconRoute />}
                description={t`No rule matches the search.`}
                onClear={() => onSearch('')}
              />
            )}
            {rules && shown && shown.length > 0 && (
              <RuleList
                rules={rules}
                shown={shown}
                matchingRuleId={matchingRuleId}
                webhookName={webhookName}
                onEdit={(rule) => ask({ what: 'edit', rule })}
                onDelete={(rule) => ask({ what: 'delete', rule })}
              />
            )}
            <UnaffectedLeads />
          </section>
          <RulePreview onMatch={setMatchingRuleId} />
        </div>
        <RecentAssignments />
      </Stack>
      <RuleDialog rule={asked.rule} opened={opened && asked.what === 'edit'} onClose={close} />
      <ConfirmDialog
        opened={opened && asked.what === 'delete'}
        onClose={close}
        title={t`Delete ${{ rule: asked.rule?.name ?? t`rule` }}?`}
        action={t`Delete rule`}
        onConfirm={async () => asked.rule && removeRule(asked.rule)}
      >
        {t`“${{ rule: asked.rule?.name ?? '' }}” no longer applies to new leads, and its round robin is deleted. Leads it assigned keep their owner.`}
      </ConfirmDialog>
    </Page>
  )
}

function UnaffectedLeads() {
  return (
    <>
      <Title order={3} mt={24} mb={4}>
        <Trans>If no rule matches</Trans>
      </Title>
      <Text c="dimmed">
        <Trans>
          A lead sent with an API key belongs to the user of that key. A lead from a webhook gets the webhook’s default
          owner; without one it stays unassigned, and only Admins see it.
        </Trans>
      </Text>
      <Title order={3} mt={16} mb={4}>
        <Trans>If no user is available</Trans>
      </Title>
      <Text c="dimmed">
        <Trans>
          While no user of a matching rule is available, such as outside of working hours or after their daily limits,
          the fallback owner gets the lead.
        </Trans>
      </Text>
      <FallbackOwner />
      <Title order={3} mt={16} mb={4}>
        <Trans>Not affected by rules</Trans>
      </Title>
      <Text c="dimmed">
        <Trans>
          Leads that have an owner, leads sent with the API key of a Manager or an Agent, and submissions that merge
          into an existing lead, which keeps its owner.
        </Trans>
      </Text>
    </>
  )
}
