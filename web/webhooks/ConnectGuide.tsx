import { Accordion, Box, Code, List, SimpleGrid, Text, Title } from '@mantine/core'
import type { ShownWebhook } from '#contract/webhooks'
import { CopyableText } from '../ui/CopyButton.tsx'
import { guides } from './guides.ts'

/** The steps at each platform, and a command to test the URL. */
export function ConnectGuide({ webhook, wide = false }: { webhook: ShownWebhook; wide?: boolean }) {
  return (
    <SimpleGrid cols={wide ? { base: 1, lg: 2 } : 1} spacing={32} verticalSpacing={24} maw={1200}>
      <section>
        <Title order={2} mb={8}>
          Connect a source
        </Title>
        <Accordion variant="contained" order={3}>
          {guides.map(({ name, hint, steps, verifyToken, file }) => (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control>
                {name}
                <Text size="xs" c="dimmed">
                  {hint}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <List type="ordered" spacing={8} pr={8}>
                  {steps.map((step) => (
                    <List.Item key={step}>{step}</List.Item>
                  ))}
                </List>
                {verifyToken && (
                  <Box mt={12}>
                    <Text size="xs" c="dimmed" mb={4}>
                      Verify token
                    </Text>
                    <CopyableText value={webhook.verify_token} label="Verify token" />
                  </Box>
                )}
                <Text size="xs" c="dimmed" mt={12}>
                  More in <Code>docs/webhooks/{file}</Code> of the repository: sample payloads and their fields.
                </Text>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
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

const curlFor = (url: string) =>
  `curl -X POST '${url}' \\
  -H 'content-type: application/json' \\
  -d '{"name": "Meera Iyer", "phone": "+91 98200 11223", "city": "Pune", "message": "3 BHK in Baner"}'`
