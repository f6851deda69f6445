import { t } from '@lingui/core/macro'
import type { ListedUser } from '#contract/access/account'
import { remove } from '../../platform/api/api.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { useUsersChanged } from './queries.ts'
import { firstName } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
}

/** For who has a new identity at the provider of single sign-on. */
export function UnlinkDialog({ user, opened, onClose }: Props) {
  const changed = useUsersChanged()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Unlink single sign-on of ${{ name: user.name }}?`}
      action={t`Unlink`}
      onConfirm={async () => {
        await remove(`/web/users/${user.id}/single-sign-on`)
        await changed()
        notify(t`${{ name: user.name }} is unlinked`)
      }}
    >
      {t`Use this when ${{ name: firstName(user.name) }} has a new identity at the provider. Their sessions end. The next person who signs in there with the verified email ${{ email: user.email }} is linked.`}
    </ConfirmDialog>
  )
}
