import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { TwoFactorSetup } from '#contract/sign-in'
import { post } from '../api.ts'
import { useMe } from '../me.ts'
import { notify } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { useReturnFocus } from '../ui/return-focus.ts'
import { Section } from '../ui/Section.tsx'

const SetUpTwoFactor = lazy(() => import('./SetUpTwoFactor.tsx').then((file) => ({ default: file.SetUpTwoFactor })))
const BackupCodes = lazy(() => import('./BackupCodes.tsx').then((file) => ({ default: file.BackupCodes })))

const deeds = {
  enable: { title: 'Switch two-factor on', button: 'Go on', path: '/auth/two-factor/enable' },
  codes: { title: 'New backup codes', button: 'Make new codes', path: '/auth/two-factor/generate-backup-codes' },
  disable: { title: 'Switch two-factor off', button: 'Switch off', path: '/auth/two-factor/disable' },
} as const
type Deed = keyof typeof deeds

/** A code from an app beside the password. Each change asks for the password first. */
export function TwoFactor() {
  const { two_factor } = useMe()
  const [deed, setDeed] = useState<Deed | null>(null)
  const noteOpener = useReturnFocus(deed !== null)
  const begin = (chosen: Deed) => {
    noteOpener()
    setDeed(chosen)
  }
  return (
    <Section
      title="Two-factor sign-in"
      about="With a code from an authenticator app beside your password, a stolen password alone lets nobody in."
    >
      <Group gap={8}>
        {two_factor && (
          <Text fw={500} mr={8}>
            On
          </Text>
        )}
        {two_factor && (
          <Button variant="default" onClick={() => begin('codes')}>
            New backup codes
          </Button>
        )}
        {/* One button for both, so that the focus finds back to it. */}
        <Button variant="default" onClick={() => begin(two_factor ? 'disable' : 'enable')}>
          {two_factor ? 'Switch off' : 'Switch on'}
        </Button>
      </Group>
      {deed && <Change deed={deed} onClose={() => setDeed(null)} />}
    </Section>
  )
}

function Change({ deed, onClose }: { deed: Deed; onClose(): void }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const { title, button, path } = deeds[deed]
  const ask = useMutation({
    mutationFn: () => post<Partial<TwoFactorSetup>>(path, { password }),
    onSuccess: async () => {
      if (deed !== 'disable') return
      await client.invalidateQueries({ queryKey: ['me'] })
      notify('Two-factor is off')
      onClose()
    },
  })
  const { totpURI, backupCodes } = ask.data ?? {}
  // The codes there were are void as soon as new ones are asked for.
  const close = () => {
    if (!ask.isPending) onClose()
  }
  return (
    // Once the codes are shown, a click beside the dialog must not lose them.
    <Modal opened onClose={close} title={title} closeOnClickOutside={!ask.data} closeOnEscape={!ask.data}>
      <Suspense fallback={<div style={{ height: 360 }} />}>
        {totpURI && backupCodes ? (
          <SetUpTwoFactor totpURI={totpURI} backupCodes={backupCodes} onDone={onClose} />
        ) : deed === 'codes' && backupCodes ? (
          <BackupCodes codes={backupCodes} onKept={onClose} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              ask.mutate()
            }}
          >
            <Stack gap={16}>
              {deed === 'disable' && <Text>Your password alone will sign you in. Your backup codes stop working.</Text>}
              {deed === 'codes' && <Text>The codes you have stop working.</Text>}
              <PasswordInput
                label="Your password"
                autoComplete="current-password"
                required
                data-autofocus
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <Problem error={ask.error} />
              <Group justify="flex-end">
                <Button type="submit" loading={ask.isPending} color={deed === 'disable' ? 'red.9' : undefined}>
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
