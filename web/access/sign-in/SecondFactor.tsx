import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../platform/api/api.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { appCodeIn, backupCodeIn } from './code.ts'

const methods = {
  totp: {
    path: '/auth/two-factor/verify-totp',
    codeIn: appCodeIn,
    label: t`Code from your app`,
    about: t`Enter the six digits that your authenticator app shows for Lead Engine.`,
    other: t`Use a backup code instead`,
  },
  backup: {
    path: '/auth/two-factor/verify-backup-code',
    codeIn: backupCodeIn,
    label: t`Backup code`,
    about: t`Enter one of the codes you saved when you turned on two-factor. Each works once.`,
    other: t`Use the code from your app`,
  },
} as const

/** The second step of signing in, for users with two-factor. */
export default function SecondFactor({ onDone, onBack }: { onDone(): void; onBack(): void }) {
  const [method, setMethod] = useState<keyof typeof methods>('totp')
  const [code, setCode] = useState('')
  const { path, codeIn, label, about, other } = methods[method]
  const verify = useMutation({ mutationFn: () => post(path, { code: codeIn(code) }), onSuccess: onDone })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <Stack gap={16}>
        <Text>{about}</Text>
        <TextInput
          key={method}
          label={label}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode={method === 'totp' ? 'numeric' : 'text'}
          required
          autoFocus
        />
        <Problem error={verify.error} />
        <Button type="submit" loading={verify.isPending || verify.isSuccess}>
          <Trans>Sign in</Trans>
        </Button>
        <Group justify="space-between">
          <Anchor component="button" type="button" onClick={onBack}>
            <Trans>Back</Trans>
          </Anchor>
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              setMethod(method === 'totp' ? 'backup' : 'totp')
              setCode('')
              verify.reset()
            }}
          >
            {other}
          </Anchor>
        </Group>
        <Text size="xs" c="dimmed">
          <Trans>
            Lost your phone and your backup codes? An Admin of your account can turn off two-factor for you.
          </Trans>
        </Text>
      </Stack>
    </form>
  )
}
