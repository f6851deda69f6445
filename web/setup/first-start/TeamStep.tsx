import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usersQuery } from '../../access/account/users.ts'

export default function TeamStep() {
  const { data: users = [] } = useQuery(usersQuery)
  return (
    <>
      <Text mb={12}>
        {users.length > 1
          ? t`Your account has ${plural({ users: users.length }, { one: '# user', other: '# users' })}.`
          : t`Users get leads and call them. Managers see the leads of their team, Agents their own. Invite them before you import a file, so that its owners are found.`}
      </Text>
      <Button
        variant={users.length > 1 ? 'default' : 'filled'}
        renderRoot={(props) => <Link {...props} to="/settings/team/invite" search={{ from: 'start' }} />}
      >
        <Trans>Invite users</Trans>
      </Button>
    </>
  )
}
