import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './ConfirmDialog.module.css'
import { Modal } from './Dialog.tsx'
import { Problem } from './Problem.tsx'

interface Props {
  opened: boolean
  onClose(): void
  title: string
  /** Says what will happen, and what is lost. */
  children: ReactNode
  /** Verb and object: "Delete lead". */
  action: string
  onConfirm(): Promise<unknown>
  /** A name that the user has to type first. */
  typeName?: string
}

/** Asks once before something that cannot be undone. */
export function ConfirmDialog({ opened, onClose, title, children, action, onConfirm, typeName }: Props) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (opened) {
      setTyped('')
      setError(null)
    }
  }, [opened])

  /** Stays open while the request runs, so that its result can be shown. */
  const close = () => {
    if (!busy) onClose()
  }
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onClose()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <Stack gap={16}>
          <div>{children}</div>
          {typeName !== undefined && (
            <TextInput
              label={t`Type ${typeName} to confirm`}
              labelProps={{ className: styles.label }}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Problem error={error} />
          <Group justify="flex-end" gap={8}>
            <Button
              variant="default"
              disabled={busy}
              onClick={close}
              {...(typeName === undefined ? { 'data-autofocus': true } : {})}
            >
              <Trans>Cancel</Trans>
            </Button>
            <Button
              type="submit"
              color="red.9"
              loading={busy}
              disabled={typeName !== undefined && typed.trim() !== typeName.trim()}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
