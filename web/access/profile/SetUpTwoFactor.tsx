import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { QRCodeSVG } from 'qrcode.react'
import { useState } from 'react'
import type { TwoFactorSetup } from '#contract/access/sign-in'
import { post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { noteNewSession } from '../../platform/api/session.ts'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { meQuery } from '../account/me.ts'
import { appCodeIn } from '../sign-in/code.ts'
import { BackupCodes } from './BackupCodes.tsx'
import styles from './SetUpTwoFactor.module.css'

/** Shows the QR code, checks a first code, then shows the backup codes. */
export function SetUpTwoFactor({ totpURI, backupCodes, onDone }: TwoFactorSetup & { onDone(): void }) {
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => post('/auth/two-factor/verify-totp', { code: appCodeIn(code) }),
    onSuccess: () => {
      noteNewSession()
      return queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''

  if (verify.isSuccess)
    return (
      <BackupCodes
        codes={backupCodes}
        onSaved={() => {
          notify(t`Two-factor is on`)
          onDone()
        }}
      />
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <Stack gap={16}>
        <Text>
          <Trans>Scan this with an authenticator app, then enter the six digits it shows.</Trans>
        </Text>
        <div className={styles.picture}>
          <QRCodeSVG value={totpURI} size={176} marginSize={2} title={t`The secret for your authenticator app`} />
        </div>
        <Text size="xs" c="dimmed">
          <Trans>Cannot scan? Enter this secret in the app:</Trans>
        </Text>
        <CopyableText value={secret} label={t`Secret`} />
        <TextInput
          label={t`Code from your app`}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Problem error={verify.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={verify.isPending}>
            <Trans>Turn on</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
