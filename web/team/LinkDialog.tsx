import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { PasswordLink } from '#contract/sign-in'
import type { ListedUser } from '#contract/team'
import { type Data, post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
import { OneTimeLink } from './OneTimeLink.tsx'
import { useUsersChanged } from './queries.ts'
import { firstName } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
}

/** Makes a new one-time link, for a user who lost the invitation or forgot the password. */
export function LinkDialog({ user, opened, onClose }: Props) {
  const title = user.has_password ? `New password for ${user.name}` : `New invitation for ${user.name}`
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
  const kept = user.has_password ? ` ${first}’s current password works until they choose a new one.` : ''
  const ended = user.link_expires_at ? ' The previous link stops working.' : ''
  return (
    <Stack gap={16}>
      <Text>{`Creates a link with which ${first} can choose a password.${kept}${ended}`}</Text>
      <Problem error={make.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
          Make link
        </Button>
      </Group>
    </Stack>
  )
}
