import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { TwoFactorSetup } from '#contract/access/sign-in'
import { post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { Section } from '../../platform/ui/Section.tsx'
import { meQuery, useMe } from '../account/me.ts'

const SetUpTwoFactor = lazy(() => import('./SetUpTwoFactor.tsx').then((file) => ({ default: file.SetUpTwoFactor })))
const BackupCodes = lazy(() => import('./BackupCodes.tsx').then((file) => ({ default: file.BackupCodes })))

const actions = {
  enable: { title: t`Turn on two-factor`, button: t`Continue`, path: '/auth/two-factor/enable' },
  codes: { title: t`New backup codes`, button: t`Create new codes`, path: '/auth/two-factor/generate-backup-codes' },
  disable: { title: t`Turn off two-factor`, button: t`Turn off`, path: '/auth/two-factor/disable' },
} as const
type Action = keyof typeof actions

/** Turns two-factor on or off, or makes new backup codes, after asking for the password. */
export function TwoFactor() {
  const { two_factor } = useMe()
  const [action, setAction] = useState<Action | null>(null)
  const noteOpener = useReturnFocus(action !== null)
  const begin = (chosen: Action) => {
    noteOpener()
    setAction(chosen)
  }
  return (
    <Section
      title={t`Two-factor sign-in`}
      about={t`Sign in with your password and a code from an authenticator app. A stolen password alone is then not enough.`}
    >
      <Group gap={8}>
        {two_factor && (
          <Text fw={500} mr={8}>
            <Trans>On</Trans>
          </Text>
        )}
        {two_factor && (
          <Button variant="default" onClick={() => begin('codes')}>
            <Trans>New backup codes</Trans>
          </Button>
        )}
        {/* One button for both, so that the focus returns to it. */}
        <Button variant="default" onClick={() => begin(two_factor ? 'disable' : 'enable')}>
          {two_factor ? t`Turn off` : t`Turn on`}
        </Button>
      </Group>
      {action && <Change action={action} onClose={() => setAction(null)} />}
    </Section>
  )
}

function Change({ action, onClose }: { action: Action; onClose(): void }) {
  const [password, setPassword] = useState('')
  const { title, button, path } = actions[action]
  const ask = useMutation({
    mutationFn: () => post<Partial<TwoFactorSetup>>(path, { password }),
    onSuccess: async () => {
      if (action !== 'disable') return
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      notify(t`Two-factor is off`)
      onClose()
    },
  })
  const { totpURI, backupCodes } = ask.data ?? {}
  // The old codes stop working as soon as the server gets the request.
  const close = () => {
    if (!ask.isPending) onClose()
  }
  return (
    // The codes are shown only once: a click outside must not close the dialog.
    <Modal opened onClose={close} title={title} closeOnClickOutside={!ask.data} closeOnEscape={!ask.data}>
      <Suspense fallback={<Box h={360} />}>
        {totpURI && backupCodes ? (
          <SetUpTwoFactor totpURI={totpURI} backupCodes={backupCodes} onDone={onClose} />
        ) : action === 'codes' && backupCodes ? (
          <BackupCodes codes={backupCodes} onSaved={onClose} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              ask.mutate()
            }}
          >
            <Stack gap={16}>
              {action === 'disable' && (
                <Text>
                  <Trans>You will sign in with your password only. Your backup codes stop working.</Trans>
                </Text>
              )}
              {action === 'codes' && (
                <Text>
                  <Trans>Your current codes stop working.</Trans>
                </Text>
              )}
              <PasswordInput
                label={t`Your password`}
                autoComplete="current-password"
                required
                data-autofocus
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <Problem error={ask.error} />
              <Group justify="flex-end">
                <Button type="submit" loading={ask.isPending} color={action === 'disable' ? 'red.9' : undefined}>
                  {button}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Suspense>
    </Modal>
  )
}
