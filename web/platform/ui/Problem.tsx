import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiProblem } from '../api/api.ts'
import { messageAtField, messageInWords } from './field-message.ts'

/** Shows an error. `retry` adds a button if trying again may help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null
  return (
    <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
      <Group justify="space-between" gap={8}>
        {problemText(error)}
        {retry && isWorthRetrying(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </Group>
    </Alert>
  )
}

export const problemText = (error: unknown) =>
  error instanceof ApiProblem ? messageInWords(error) : t`Something went wrong in this page. Reload it and try again.`

/** The same at the field that the error names. */
export const fieldProblemText = (error: unknown) =>
  error instanceof ApiProblem ? messageAtField(error) : problemText(error)

/** The same request again would get the same 4xx, except for the rate limit. */
const isWorthRetrying = (error: unknown) =>
  !(error instanceof ApiProblem) || error.status === 429 || error.status < 400 || error.status >= 500
