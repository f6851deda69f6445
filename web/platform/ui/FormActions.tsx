import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import styles from './FormActions.module.css'
import { Problem } from './Problem.tsx'

interface Props {
  /** An error that names no field of the form. */
  problem: unknown
  onCancel(): void
  /** Verb and object: "Create key". */
  action: string
  busy: boolean
}

/** The end of a form in a dialog, always in view: the error, Cancel, and the action. */
export function FormActions({ problem, onCancel, action, busy }: Props) {
  return (
    <Stack gap={12} className={styles.foot!}>
      <Problem error={problem} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" disabled={busy} onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
