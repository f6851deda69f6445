import { Box, List, Select, SimpleGrid, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { CopyableText } from '../ui/CopyButton.tsx'
import { formatted } from './formatted.tsx'
import { GuideDetails } from './GuideDetails.tsx'
import { type Guide, guideFor } from './guide.ts'
import { guides } from './guides.ts'
import { SecretTokenForm } from './SecretTokenForm.tsx'

const platforms = [...Map.groupBy(guides, ({ kind }) => kind)].map(([group, items]) => ({
  group,
  items: items.map(({ name }) => name),
}))

/** The steps at a platform, and a command to test the URL. */
export function ConnectGuide({ webhook, wide = false }: { webhook: ShownWebhook; wide?: boolean }) {
  const [name, setName] = useState(guideFor(guides, webhook.source_label, webhook.name)?.name ?? null)
  const guide = guides.find((one) => one.name === name)
  return (
    <SimpleGrid cols={wide ? { base: 1, lg: 2 } : 1} spacing={32} verticalSpacing={24} maw={1200}>
      <section>
        <Title order={2} mb={8}>
          Connect a source
        </Title>
        <Select
          label="Platform"
          placeholder="Choose where your leads come from"
          data={platforms}
          value={name}
          onChange={setName}
          searchable
          nothingFoundMessage="No matches. Choose “Anything else”."
          maxDropdownHeight={360}
          maw={420}
          mb={16}
        />
        {guide && <Steps guide={guide} webhook={webhook} />}
      </section>
      <section>
        <Title order={2} mb={4}>
          Test it from a terminal
        </Title>
        <Text c="dimmed" mb={8}>
          This creates a real lead. Delete it afterwards.
        </Text>
        <CopyableText value={curlFor(webhook.url)} label="Command" />
      </section>
    </SimpleGrid>
  )
}

function Steps({ guide, webhook }: { guide: Guide; webhook: ShownWebhook }) {
  return (
    <>
      <List type="ordered" spacing={8} pr={8} aria-label={`Steps for ${guide.name}`}>
        {guide.steps.map((step) => (
          <List.Item key={step}>{formatted(step)}</List.Item>
        ))}
      </List>
      {guide.verifyToken && (
        <Box mt={12}>
          <Text size="xs" c="dimmed" mb={4}>
            Verify token
          </Text>
          <CopyableText value={webhook.verify_token} label="Verify token" />
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
