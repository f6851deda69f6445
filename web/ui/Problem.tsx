import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiProblem } from '../api.ts'

/** What went wrong, told where it arose. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null
  return (
    <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
      <Group justify="space-between" gap={8}>
        {sentenceOf(error)}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}

export const sentenceOf = (error: unknown) =>
  error instanceof ApiProblem ? error.message : 'Something went wrong in this page. Reload it and try again.'
