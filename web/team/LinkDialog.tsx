import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { PasswordLink } from '#contract/sign-in'
import type { ListedUser } from '#contract/team'
import { type Data, post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
import { OneTimeLink } from './OneTimeLink.tsx'
import { firstNameOf } from './person.ts'
import { usePeopleChanged } from './queries.ts'

interface Props {
  person: ListedUser
  opened: boolean
  onClose(): void
}

/** A new link to choose a password by, for who lost the first or forgot what they chose. */
export function LinkDialog({ person, opened, onClose }: Props) {
  const title = person.has_password ? `New password for ${person.name}` : `New invitation for ${person.name}`
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeOnClickOutside={false}>
      <MakeLink person={person} onClose={onClose} />
    </Modal>
  )
}

function MakeLink({ person, onClose }: Omit<Props, 'opened'>) {
  const changed = usePeopleChanged()
  const make = useMutation({
    mutationFn: async () => (await post<Data<PasswordLink>>(`/web/people/${person.id}/password-link`)).data,
    onSuccess: changed,
  })
  if (make.data) return <OneTimeLink made={make.data} person={person} onDone={onClose} />

  const first = firstNameOf(person.name)
  const kept = person.has_password ? ` ${first}’s present password works until they choose a new one.` : ''
  const ended = person.link_expires_at ? ' The link made before stops working.' : ''
  return (
    <Stack gap={16}>
      <Text>{`Makes a link by which ${first} chooses a password.${kept}${ended}`}</Text>
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
