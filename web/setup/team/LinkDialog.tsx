import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ListedUser } from '#contract/access/account'
import type { PasswordLink } from '#contract/access/sign-in'
import { type Data, post } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { OneTimeLink } from './OneTimeLink.tsx'
import { useUsersChanged } from './queries.ts'
import { firstName, hasJoined } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
}

/** Makes a new one-time link, for a user who lost the invitation or forgot the password. */
export function LinkDialog({ user, opened, onClose }: Props) {
  const title = hasJoined(user)
    ? t`New password for ${{ name: user.name }}`
    : t`New invitation for ${{ name: user.name }}`
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeOnClickOutside={false}>
      <MakeLink user={user} onClose={onClose} />
    </Modal>
  )
}

function MakeLink({ user, onClose }: Omit<Props, 'opened'>) {
  const changed = useUsersChanged()
  const make = useMutation({
    mutationFn: async () => (await post<Data<PasswordLink>>(`/web/users/${user.id}/password-link`)).data,
    onSuccess: changed,
  })
  if (make.data) return <OneTimeLink made={make.data} user={user} onDone={onClose} />

  const first = firstName(user.name)
  const sentences = [
    t`Creates a link with which ${first} can choose a password.`,
    user.has_password && t`${first}’s current password works until they choose a new one.`,
    user.link_expires_at && t`The previous link stops working.`,
  ]
  return (
    <Stack gap={16}>
      <Text>{sentences.filter(Boolean).join(' ')}</Text>
      <Problem error={make.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
          <Trans>Make link</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
