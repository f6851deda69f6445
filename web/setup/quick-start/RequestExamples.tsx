import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Tabs, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ExampleLead } from '../../access/api-keys/curl.ts'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { type Language, languages } from './language-search.ts'
import { languageWords, requestExample } from './request-examples.ts'

const route = getRouteApi('/signed-in/admins/first-request')

/** The request that creates a lead, in several languages. */
export function RequestExamples({ secret, lead }: { secret: string; lead: ExampleLead }) {
  const { language = 'curl' } = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (chosen: string | null) =>
    void navigate({ search: { language: chosen as Language }, replace: true, resetScroll: false })
  return (
    <>
      <Text c="dimmed" mb={8}>
        <Trans>This request creates a lead with your name and email. You can change them.</Trans>
      </Text>
      <Tabs value={language} onChange={choose} keepMounted={false}>
        <Tabs.List mb={12} aria-label={t`Language`}>
          {languages.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {languageWords[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((value) => (
          <Tabs.Panel key={value} value={value}>
            <CopyableText
              label={t`${{ language: languageWords[value] }} code`}
              value={requestExample(value, secret, lead)}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
