import { t } from '@lingui/core/macro'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { AvailabilitySettings } from './AvailabilitySettings.tsx'

interface Props {
  user: { id: string; name: string }
  opened: boolean
  onClose(): void
}

/** The availability of another user. Each change is saved at once. */
export function AvailabilityDialog({ user, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Availability of ${{ name: user.name }}`}>
      <AvailabilitySettings userId={user.id} />
    </Modal>
  )
}
