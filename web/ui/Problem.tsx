import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiProblem } from '../api.ts'

/** What went wrong, told where it arose. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null
  return (
    <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
      <Group justify="space-between" gap={8}>
        {problemText(error)}
        {retry && mayPass(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}

export const problemText = (error: unknown) =>
  error instanceof ApiProblem ? inWords(error) : 'Something went wrong in this page. Reload it and try again.'

/** Programs know a field as `deal_value`; people read “Deal value”. */
function inWords({ message, field }: ApiProblem): string {
  const words = field ? message.replaceAll(field, field.replaceAll('_', ' ')) : message
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Asked again the same, what is wrong with the asking stays wrong. */
const mayPass = (error: unknown) =>
  !(error instanceof ApiProblem) || error.status === 429 || error.status < 400 || error.status >= 500
