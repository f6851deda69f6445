import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, List, type OptionsFilter, Select, SimpleGrid, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { formatted } from './formatted.tsx'
import { GuideDetails } from './GuideDetails.tsx'
import { type Guide, type GuideKind, guideFor, isFound } from './guide.ts'
import { guides } from './guides.ts'
import { SecretTokenForm } from './SecretTokenForm.tsx'

const kindNames: Record<GuideKind, string> = {
  Ads: t`Ads`,
  Portals: t`Portals`,
  'Forms and websites': t`Forms and websites`,
  Chat: t`Chat`,
  'Telephone systems': t`Telephone systems`,
  'Shops and payments': t`Shops and payments`,
  CRM: t`CRM`,
  Bridges: t`Bridges`,
  Other: t`Other`,
}

/** Platforms are named alike in every language. */
const labelOf = (name: string) => (name === 'Anything else' ? t`Anything else` : name)

const platforms = [...Map.groupBy(guides, ({ kind }) => kind)].map(([kind, items]) => ({
  group: kindNames[kind],
  items: items.map(({ name }) => ({ value: name, label: labelOf(name) })),
}))

const findPlatforms: OptionsFilter = ({ options, search }) => {
  const found = new Set(
    guides
      .filter((guide) => isFound(search, guide, [labelOf(guide.name), kindNames[guide.kind]]))
      .map(({ name }) => name),
  )
  return options.flatMap((group) => {
    const items = 'items' in group ? group.items.filter((item) => found.has(String(item.value))) : []
    return 'items' in group && items.length > 0 ? [{ ...group, items }] : []
  })
}

/** The steps at a platform, and a command to test the URL. */
export function ConnectGuide({ webhook, wide = false }: { webhook: ShownWebhook; wide?: boolean }) {
  const [name, setName] = useState(guideFor(guides, webhook.source_label, webhook.name)?.name ?? null)
  const guide = guides.find((one) => one.name === name)
  return (
    <SimpleGrid cols={wide ? { base: 1, lg: 2 } : 1} spacing={32} verticalSpacing={24} maw={1200}>
      <section>
        <Title order={2} mb={8}>
          <Trans>Connect a source</Trans>
        </Title>
        <Select
          label={t`Platform`}
          placeholder={t`Choose where your leads come from`}
          data={platforms}
          value={name}
          onChange={setName}
          searchable
          filter={findPlatforms}
          selectFirstOptionOnChange
          nothingFoundMessage={t`No matches. Choose “Anything else”.`}
          maxDropdownHeight={360}
          maw={420}
          mb={16}
        />
        {guide && <Steps guide={guide} webhook={webhook} />}
      </section>
      <section>
        <Title order={2} mb={4}>
          <Trans>Test it from a terminal</Trans>
        </Title>
        <Text c="dimmed" mb={8}>
          <Trans>This creates a real lead. Delete it afterwards.</Trans>
        </Text>
        <CopyableText value={curlFor(webhook.url)} label={t`Command`} />
      </section>
    </SimpleGrid>
  )
}

function Steps({ guide, webhook }: { guide: Guide; webhook: ShownWebhook }) {
  return (
    <>
      <List type="ordered" spacing={8} pr={8} aria-label={t`Steps for ${{ platform: labelOf(guide.name) }}`}>
        {guide.steps.map((step) => (
          <List.Item key={step}>{formatted(step)}</List.Item>
        ))}
      </List>
      {guide.verifyToken && (
        <Box mt={12}>
          <Text size="xs" c="dimmed" mb={4}>
            <Trans>Verify token</Trans>
          </Text>
          <CopyableText value={webhook.verify_token} label={t`Verify token`} />
        </Box>
      )}
      {guide.secretToken && <SecretTokenForm webhook={webhook} />}
      <GuideDetails key={guide.page} page={guide.page} />
    </>
  )
}

const curlFor = (url: string) =>
  `curl -X POST '${url}' \\
  -H 'content-type: application/json' \\
  -d '{"name": "Meera Iyer", "phone": "+91 98200 11223", "city": "Pune", "message": "3 BHK in Baner"}'`
