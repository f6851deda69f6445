import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { usersQuery } from '../../access/account/users.ts'
import { InviteDialog } from '../team/InviteDialog.tsx'
import { refreshFirstStart } from './queries.ts'

export default function TeamStep() {
  const { data: users = [] } = useQuery(usersQuery)
  const [inviting, { open, close }] = useDisclosure()
  return (
    <>
      <Text mb={12}>
        {users.length > 1
          ? t`Your account has ${plural({ users: users.length }, { one: '# user', other: '# users' })}.`
          : t`Users get leads and call them. Managers see the leads of their team, Agents their own.`}
      </Text>
      <Button variant={users.length > 1 ? 'default' : 'filled'} onClick={open}>
        <Trans>Invite a user</Trans>
      </Button>
      <InviteDialog
        opened={inviting}
        onClose={() => {
          close()
          void refreshFirstStart()
        }}
        users={users}
      />
    </>
  )
}
