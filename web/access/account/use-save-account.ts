import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { AccountSettings } from '#contract/access/account'
import { queryClient } from '../../platform/api/query.ts'
import { changesSince } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { auditKeys } from '../audit/queries.ts'
import { meQuery } from './me.ts'
import { changeAccount } from './queries.ts'

type Settings = Partial<AccountSettings>

/** Saves each setting of the account at once, and offers to undo it. `shown` has the change that is being saved. */
export function useSaveAccount(account: AccountSettings) {
  const change = async (before: Settings, after: Settings) => {
    await changeAccount(changesSince(before, after))
    for (const queryKey of [meQuery.queryKey, auditKeys.all]) void queryClient.invalidateQueries({ queryKey })
  }
  const saving = useMutation({
    mutationFn: async ({ before, after }: Record<'before' | 'after', Settings>) => {
      await change(before, after)
      notify(t`Account saved`, () => change(after, before).then(() => notify(t`Undone`)))
    },
  })
  const shown: AccountSettings = saving.isPending ? { ...account, ...saving.variables.after } : account
  const save = (after: Settings, then?: { onSuccess(): void }) => {
    const before = Object.fromEntries(Object.entries(shown).filter(([field]) => field in after))
    saving.mutate({ before, after }, then)
  }
  return { shown, save, problem: saving.error }
}
