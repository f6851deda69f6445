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

type Asked = 'rename' | 'disable' | 'renew' | 'token' | 'connect'

export function WebhookActions({ webhook }: { webhook: ShownWebhook }) {
  const { id, name, enabled } = webhook
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  const noteOpener = useReturnFocus(asked !== null)
  const ask = (what: Asked) => () => {
    noteOpener()
    setAsked(what)
  }
  const close = () => setAsked(null)

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
  const newAddress = async () => {
    await post(`/web/webhooks/${id}/address`)
    await queryClient.invalidateQueries({ queryKey: webhookQuery(id).queryKey, exact: true })
    notify('The new address is in force. Paste it wherever the old one stands.')
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
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={ask('rename')}>
            Edit name and source label
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} onClick={ask('connect')}>
            How to connect a sender
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={ask('token')}>
            Show the verify token
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={ask('renew')}>
            New address
          </Menu.Item>
          {enabled ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={ask('disable')}>
              Disable
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void enable().catch(() => undefined)}>
              Enable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>

      <RenameWebhook webhook={webhook} opened={asked === 'rename'} onClose={close} />
      <ConfirmDialog
        opened={asked === 'disable'}
        onClose={close}
        title={`Disable ${name}?`}
        action="Disable webhook"
        onConfirm={() => changeWebhook(id, { enabled: false })}
      >
        Senders are answered with 403 and no lead is made. Some platforms stop sending after that until they are told to
        go on. What comes meanwhile is kept as rejected and can be replayed at any time.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'renew'}
        onClose={close}
        title={`New address for ${name}?`}
        action="Make new address"
        typeName={name}
        onConfirm={newAddress}
      >
        The address in use stops at once: whoever sends to it is answered with 404, and those leads are not kept. Paste
        the new one into every sender.
      </ConfirmDialog>
      <Modal opened={asked === 'token'} onClose={close} title="Verify token">
        <Text mb={16}>Meta and WhatsApp ask for it when the URL is entered. Other senders do not.</Text>
        <CopyableText value={webhook.verify_token} label="Verify token" />
      </Modal>
      <Drawer opened={asked === 'connect'} onClose={close} position="right" size="lg" title="Connect a sender">
        <ConnectGuide webhook={webhook} />
      </Drawer>
    </>
  )
}
