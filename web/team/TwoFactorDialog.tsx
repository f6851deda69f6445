import type { ListedUser } from '#contract/team'
import { post } from '../api.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { notify } from '../ui/notify.tsx'
import { firstNameOf } from './person.ts'
import { usePeopleChanged } from './queries.ts'

interface Props {
  person: ListedUser
  opened: boolean
  onClose(): void
}

/** For who lost the device that makes their codes. */
export function TwoFactorDialog({ person, opened, onClose }: Props) {
  const changed = usePeopleChanged()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Switch off two-factor for ${person.name}?`}
      action="Switch off two-factor"
      onConfirm={async () => {
        await post(`/web/people/${person.id}/two-factor-reset`)
        await changed()
        notify(`Two-factor is off for ${person.name}`)
      }}
    >
      {`For who lost the device that makes their codes. ${firstNameOf(person.name)} then signs in with the password alone, until they set it up again.`}
    </ConfirmDialog>
  )
}
