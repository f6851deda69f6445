import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { accountQuery, changeAccount } from '../../access/account/queries.ts'
import { usersQuery } from '../../access/account/users.ts'
import { queryClient } from '../../platform/api/query.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useUserStates } from '../availability/use-user-states.ts'
import { ruleKeys } from './keys.ts'

/** The user who gets the leads of a rule while none of its users is available. */
export function FallbackOwner() {
  const { data: account } = useQuery(accountQuery)
  const { data: users = [] } = useQuery(usersQuery)
  const { withState } = useUserStates()
  const owner = account?.fallback_owner ?? null
  const save = useMutation({
    mutationFn: async (fallback_owner: string | null) => {
      const change = (fallback_owner: string | null) =>
        changeAccount({ fallback_owner }).then(() => queryClient.invalidateQueries({ queryKey: ruleKeys.previews }))
      await change(fallback_owner)
      notify(t`Fallback owner saved`, () => change(owner))
    },
  })
  return (
    <>
      <Select
        label={t`Fallback owner`}
        description={t`Without one, users who are not away share these leads by the first matching rule.`}
        placeholder={t`None`}
        mt={8}
        maw={400}
        disabled={!account}
        data={users
          .filter(({ active, id }) => active || id === owner)
          .map(({ id, name, email }) => ({ value: id, label: withState(`${name} · ${email}`, id) }))}
        value={owner}
        onChange={(chosen) => save.mutate(chosen)}
        searchable
        nothingFoundMessage={t`No matches`}
        clearable
        clearButtonProps={{ 'aria-label': t`Clear fallback owner` }}
      />
      <Problem error={save.error} />
    </>
  )
}
