import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Code, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AccountFields } from '../../access/account/AccountFields.tsx'
import { accountQuery } from '../../access/account/queries.ts'
import { WorkingHours } from '../../access/account/WorkingHours.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { QuickReplies } from '../../telephony/quick-replies/QuickReplies.tsx'
import { Backups } from '../backup/Backups.tsx'
import { ContinuousBackupState } from '../continuous-backup/ContinuousBackupState.tsx'
import { SampleData } from '../demo/SampleData.tsx'
import { DealSettings } from './DealSettings.tsx'

export function AccountPage() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  return (
    <Page title={t`Account`}>
      <Stack gap={32} maw={560}>
        {account ? (
          <>
            <AccountFields account={account} />
            <WorkingHours account={account} />
            <DealSettings account={account} />
            <QuickReplies of="account" />
            <section>
              <Title order={2}>{t`Delivery retention`}</Title>
              <Text mt={4}>
                {t`Payloads of deliveries are deleted after ${plural({ days: account.delivery_retention_days }, { one: '# day', other: '# days' })}. Their leads stay.`}
              </Text>
              <Text c="dimmed">
                <Trans>
                  The operator of the server sets this for all accounts, with <Code>DELIVERY_RETENTION_DAYS</Code>.
                </Trans>
              </Text>
            </section>
            <SampleData />
            <Backups />
            <ContinuousBackupState />
            <section>
              <Title order={2}>{t`Account ID`}</Title>
              <Text c="dimmed" mt={4} mb={8}>
                <Trans>Needed for commands on the server and for support.</Trans>
              </Text>
              <CopyableText value={account.id} label={t`Account ID`} />
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
