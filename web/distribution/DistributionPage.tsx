import { Button, EmptyState, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Rule } from '#contract/distribution'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { useAddKey } from '../ui/page-keys.ts'
import { useReturnFocus } from '../ui/return-focus.ts'
import styles from './Distribution.module.css'
import { LatelyAssigned } from './LatelyAssigned.tsx'
import { rulesQuery, useRemoveRule, webhookNamesQuery } from './queries.ts'
import { RuleDialog } from './RuleDialog.tsx'
import { RuleList } from './RuleList.tsx'
import { RulePreview } from './RulePreview.tsx'

type Asked = { what: 'edit'; rule: Rule | undefined } | { what: 'delete'; rule: Rule }

export function DistributionPage() {
  const { data: rules, error, refetch } = useQuery(rulesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const removeRule = useRemoveRule()
  const [asked, setAsked] = useState<Asked>({ what: 'edit', rule: undefined })
  const [opened, setOpened] = useState(false)
  const [deciding, setDeciding] = useState<string>()

  const noteOpener = useReturnFocus(opened)
  const ask = (question: Asked) => {
    noteOpener()
    setAsked(question)
    setOpened(true)
  }
  const close = () => setOpened(false)
  const create = () => ask({ what: 'edit', rule: undefined })
  useAddKey(create)
  const webhookName = (id: string) => webhooks.find(({ value }) => value === id)?.label ?? 'that was removed'

  return (
    <Page
      title="Distribution"
      about="Who gets a new lead that names nobody. The first rule that fits decides, and its people take turns."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={create}>
          Create rule
        </Button>
      }
    >
      <Stack gap={32}>
        <div className={styles.columns}>
          <section aria-labelledby="rules">
            <Title order={2} id="rules" mb={8}>
              Rules
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
                title="No rules yet"
                description="Rules hand out new leads by source, city, tag or webhook, to one person or to several in turn."
              >
                <EmptyState.Actions>
                  <Button variant="default" onClick={create}>
                    Create the first rule
                  </Button>
                </EmptyState.Actions>
              </EmptyState>
            )}
            {rules && rules.length > 0 && (
              <RuleList
                rules={rules}
                deciding={deciding}
                webhookName={webhookName}
                onEdit={(rule) => ask({ what: 'edit', rule })}
                onDelete={(rule) => ask({ what: 'delete', rule })}
              />
            )}
            <WithoutRule />
          </section>
          <RulePreview onDecided={setDeciding} />
        </div>
        <LatelyAssigned />
      </Stack>
      <RuleDialog rule={asked.rule} opened={opened && asked.what === 'edit'} onClose={close} />
      <ConfirmDialog
        opened={opened && asked.what === 'delete'}
        onClose={close}
        title={`Delete ${asked.rule?.name ?? 'rule'}?`}
        action="Delete rule"
        onConfirm={async () => asked.rule && removeRule(asked.rule)}
      >
        New leads no longer follow “{asked.rule?.name}”, and whose turn it was is forgotten. Leads it handed out stay
        with who has them.
      </ConfirmDialog>
    </Page>
  )
}

function WithoutRule() {
  return (
    <>
      <Title order={3} mt={24} mb={4}>
        Where no rule fits
      </Title>
      <Text c="dimmed">
        A lead that comes by API goes to whoever its key belongs to. One that comes by webhook goes to the webhook’s
        default person; without one it goes to nobody, and only Admins see it.
      </Text>
      <Title order={3} mt={16} mb={4}>
        What rules leave alone
      </Title>
      <Text c="dimmed">
        A lead that already names a person, a lead sent with the key of a Manager or an Agent, and a person who is known
        already: their lead is merged and stays where it is.
      </Text>
    </>
  )
}
