import { Code, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyableText } from '../ui/CopyButton.tsx'
import { formatCount } from '../ui/numbers.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { AccountForm } from './AccountForm.tsx'
import { accountQuery } from './queries.ts'

export function AccountPage() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  return (
    <Page title="Account">
      <Stack gap={32} maw={560}>
        {account ? (
          <>
            <AccountForm account={account} />
            <section>
              <Title order={2}>How long deliveries are kept</Title>
              <Text mt={4}>
                {formatCount(account.delivery_retention_days, 'day')}, then what a webhook was sent is deleted; the
                leads it made stay.
              </Text>
              <Text c="dimmed">
                Whoever runs the server sets this for all accounts, with <Code>DELIVERY_RETENTION_DAYS</Code>.
              </Text>
            </section>
            <section>
              <Title order={2}>Account id</Title>
              <Text c="dimmed" mt={4} mb={8}>
                Commands on the server and support ask for it.
              </Text>
              <CopyableText value={account.id} label="Account id" />
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
