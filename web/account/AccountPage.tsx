import { Code, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Backups } from '../backup/Backups.tsx'
import { SampleData } from '../demo/SampleData.tsx'
import { QuickReplies } from '../quick-replies/QuickReplies.tsx'
import { CopyableText } from '../ui/CopyButton.tsx'
import { formatCount } from '../ui/numbers.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { AccountForm } from './AccountForm.tsx'
import { DealSettings } from './DealSettings.tsx'
import { accountQuery } from './queries.ts'
import { WorkingHours } from './WorkingHours.tsx'

export function AccountPage() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  return (
    <Page title="Account">
      <Stack gap={32} maw={560}>
        {account ? (
          <>
            <AccountForm account={account} />
            <WorkingHours account={account} />
            <DealSettings account={account} />
            <QuickReplies of="account" />
            <section>
              <Title order={2}>Delivery retention</Title>
              <Text mt={4}>
                Payloads of deliveries are deleted after {formatCount(account.delivery_retention_days, 'day')}. Their
                leads stay.
              </Text>
              <Text c="dimmed">
                The operator of the server sets this for all accounts, with <Code>DELIVERY_RETENTION_DAYS</Code>.
              </Text>
            </section>
            <SampleData />
            <Backups />
            <section>
              <Title order={2}>Account ID</Title>
              <Text c="dimmed" mt={4} mb={8}>
                Needed for commands on the server and for support.
              </Text>
              <CopyableText value={account.id} label="Account ID" />
            </section>
          </>
        ) : error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : (
          <div aria-busy>
            <Skeleton height={60} mb={16} />
            <Skeleton height={96} mb={16} />
            <Skeleton height={36} width={128} mb={32} />
            <Skeleton height={72} mb={32} />
            <Skeleton height={96} />
          </div>
        )}
      </Stack>
    </Page>
  )
}
