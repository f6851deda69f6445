import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { AccountChange, AccountSettings } from '#contract/access/account'
import { queryClient } from '../../platform/api/query.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { auditKeys } from '../audit/queries.ts'
import { meQuery } from './me.ts'
import { changeAccount } from './queries.ts'

/** Saves each setting of the account at once, and offers to undo it. `shown` has the change that is being saved. */
export function useSaveAccount(account: AccountSettings) {
  const change = async (settings: AccountChange) => {
    await changeAccount(settings)
    for (const queryKey of [meQuery.queryKey, auditKeys.all]) void queryClient.invalidateQueries({ queryKey })
  }
  const saving = useMutation({
    mutationFn: async ({ after, before }: Record<'after' | 'before', Partial<AccountSettings>>) => {
      await change(after)
      notify(t`Account saved`, () => change(before).then(() => notify(t`Undone`)))
    },
  })
  const shown: AccountSettings = saving.isPending ? { ...account, ...saving.variables.after } : account
  const save = (after: Partial<AccountSettings>, then?: { onSuccess(): void }) => {
    const before = Object.fromEntries(Object.entries(shown).filter(([field]) => field in after))
    saving.mutate({ after, before }, then)
  }
  return { shown, save, problem: saving.error }
}
