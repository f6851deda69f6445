import { ActionIcon, Button, Drawer, Menu, Modal, Text } from '@mantine/core'
import {
  IconBook,
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { type Data, post } from '../api.ts'
import { queryClient } from '../query.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { CopyableText } from '../ui/CopyButton.tsx'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { useReturnFocus } from '../ui/return-focus.ts'
import { WaitingButton } from '../ui/WaitingButton.tsx'
import { ConnectGuide } from './ConnectGuide.tsx'
import { changeWebhook, deliveriesChanged, webhookQuery } from './queries.ts'
import { RenameWebhook } from './RenameWebhook.tsx'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

type Dialog = 'rename' | 'disable' | 'regenerate' | 'token' | 'connect'

export function WebhookActions({ webhook }: { webhook: ShownWebhook }) {
  const { id, name, enabled } = webhook
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const noteOpener = useReturnFocus(dialog !== null)
  const open = (dialog: Dialog) => () => {
    noteOpener()
    setDialog(dialog)
  }
  const close = () => setDialog(null)

  const test = useMutation({
    mutationFn: async () => (await post<Data<{ delivery_id: string }>>(`/web/webhooks/${id}/test`)).data,
    onSuccess: async ({ delivery_id }) => {
      // In the mapping it is shown there, beside what is not saved; elsewhere one may be asked first, and stay.
      void navigate({ search: tab === 'mapping' ? { tab, delivery: delivery_id } : { delivery: delivery_id } })
      await deliveriesChanged(id)
    },
    onError: notifyProblem,
  })
  const setEnabled = useMutation({
    mutationFn: (to: boolean) => changeWebhook(id, { enabled: to }),
    onError: notifyProblem,
  })
  const enable = async () => {
    await setEnabled.mutateAsync(true)
    notify(`${name} is enabled`, () => setEnabled.mutate(false))
  }
  const regenerate = async () => {
    await post(`/web/webhooks/${id}/regenerate-url`)
    await queryClient.invalidateQueries({ queryKey: webhookQuery(id).queryKey, exact: true })
    notify('URL regenerated. Paste the new URL into every source.')
  }

  return (
    <>
      {enabled ? (
        <WaitingButton variant="default" waiting={test.isPending} onClick={() => test.mutate()}>
          Send test delivery
        </WaitingButton>
      ) : (
        <Button loading={setEnabled.isPending} onClick={() => void enable().catch(() => undefined)}>
          Enable
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={open('rename')}>
            Edit name and source label
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} onClick={open('connect')}>
            Connect a source
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={open('token')}>
            Show verify token
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={open('regenerate')}>
            Regenerate URL
          </Menu.Item>
          {enabled ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={open('disable')}>
              Disable
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void enable().catch(() => undefined)}>
              Enable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>

      <RenameWebhook webhook={webhook} opened={dialog === 'rename'} onClose={close} />
      <ConfirmDialog
        opened={dialog === 'disable'}
        onClose={close}
        title={`Disable ${name}?`}
        action="Disable webhook"
        onConfirm={() => changeWebhook(id, { enabled: false })}
      >
        Requests are answered 403 and create no lead. Some platforms then stop sending until you enable the webhook
        there again. Deliveries received meanwhile are stored as rejected, and you can replay them.
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'regenerate'}
        onClose={close}
        title={`Regenerate the URL of ${name}?`}
        action="Regenerate URL"
        typeName={name}
        onConfirm={regenerate}
      >
        The current URL stops working at once: requests to it are answered 404, and their leads are lost. Paste the new
        URL into every source.
      </ConfirmDialog>
      <Modal opened={dialog === 'token'} onClose={close} title="Verify token">
        <Text mb={12}>Meta and WhatsApp ask for it when you enter the URL. Other platforms do not need it.</Text>
        <CopyableText value={webhook.verify_token} label="Verify token" />
      </Modal>
      <Drawer opened={dialog === 'connect'} onClose={close} position="right" size="lg" title="Connect a source">
        <ConnectGuide webhook={webhook} />
      </Drawer>
    </>
  )
}
