import { t } from '@lingui/core/macro'
import type { ListedUser } from '#contract/access/account'
import { post } from '../../platform/api/api.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { useUsersChanged } from './queries.ts'
import { firstName } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
}

/** For who lost the device that makes their codes. */
export function TwoFactorDialog({ user, opened, onClose }: Props) {
  const changed = useUsersChanged()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Switch off two-factor for ${{ name: user.name }}?`}
      action={t`Switch off two-factor`}
      onConfirm={async () => {
        await post(`/web/users/${user.id}/two-factor-reset`)
        await changed()
        notify(t`Two-factor is off for ${{ name: user.name }}`)
      }}
    >
      {t`Use this when ${{ name: firstName(user.name) }} lost the device with the authenticator app. They then sign in with the password only, until they set two-factor up again.`}
    </ConfirmDialog>
  )
}
