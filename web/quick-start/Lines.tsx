import { Tabs, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TrialLead } from '../api-keys/requests.ts'
import { CopyableText } from '../ui/CopyButton.tsx'
import { type Language, languages } from './language-search.ts'
import { languageWords, linesOf } from './lines.ts'

const route = getRouteApi('/signed-in/admins/first-request')

/** The request that creates a lead, in the languages of most integrators. */
export function Lines({ secret, lead }: { secret: string; lead: TrialLead }) {
  const { language = 'curl' } = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (chosen: string | null) =>
    void navigate({ search: { language: chosen as Language }, replace: true, resetScroll: false })
  return (
    <>
      <Text c="dimmed" mb={8}>
        It creates a lead with your own name and email. Change them as you like.
      </Text>
      <Tabs value={language} onChange={choose} keepMounted={false}>
        <Tabs.List mb={12} aria-label="Language">
          {languages.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {languageWords[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((value) => (
          <Tabs.Panel key={value} value={value}>
            <CopyableText label={`${languageWords[value]} lines`} value={linesOf(value, secret, lead)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
