import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Text } from '@mantine/core'
import {
  IconBook,
  IconDots,
  IconKey,
  IconListSearch,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { type Data, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { Drawer, Modal } from '../../platform/ui/Dialog.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
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
    notify(t`${name} is enabled`, () => setEnabled.mutate(false))
  }
  const regenerate = async () => {
    await post(`/web/webhooks/${id}/regenerate-url`)
    await queryClient.invalidateQueries({ queryKey: webhookQuery(id).queryKey, exact: true })
    notify(t`URL regenerated. Paste the new URL into every source.`)
  }

  return (
    <>
      {enabled ? (
        <WaitingButton variant="default" waiting={test.isPending} onClick={() => test.mutate()}>
          <Trans>Send test delivery</Trans>
        </WaitingButton>
      ) : (
        <Button loading={setEnabled.isPending} onClick={() => void enable().catch(() => undefined)}>
          <Trans>Enable</Trans>
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={open('rename')}>
            <Trans>Edit name and source label</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} onClick={open('connect')}>
            <Trans>Connect a source</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconListSearch size={16} />}
            renderRoot={(props) => <Link to="/settings/requests" search={{ source: id }} {...props} />}
          >
            <Trans>Show requests</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={open('token')}>
            <Trans>Show verify token</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={open('regenerate')}>
            <Trans>Regenerate URL</Trans>
          </Menu.Item>
          {enabled ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={open('disable')}>
              <Trans>Disable</Trans>
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void enable().catch(() => undefined)}>
              <Trans>Enable</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>

      <RenameWebhook webhook={webhook} opened={dialog === 'rename'} onClose={close} />
      <ConfirmDialog
        opened={dialog === 'disable'}
        onClose={close}
        title={t`Disable ${name}?`}
        action={t`Disable webhook`}
        onConfirm={() => changeWebhook(id, { enabled: false })}
      >
        <Trans>
          Requests are answered 403 and create no lead. Some platforms then stop sending until you enable the webhook
          there again. Deliveries received meanwhile are stored as rejected, and you can replay them.
        </Trans>
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'regenerate'}
        onClose={close}
        title={t`Regenerate the URL of ${name}?`}
        action={t`Regenerate URL`}
        typeName={name}
        onConfirm={regenerate}
      >
        <Trans>
          The current URL stops working at once: requests to it are answered 404, and their leads are lost. Paste the
          new URL into every source.
        </Trans>
      </ConfirmDialog>
      <Modal opened={dialog === 'token'} onClose={close} title={t`Verify token`}>
        <Text mb={12}>
          <Trans>Meta and WhatsApp ask for it when you enter the URL. Other platforms do not need it.</Trans>
        </Text>
        <CopyableText value={webhook.verify_token} label={t`Verify token`} />
      </Modal>
      <Drawer opened={dialog === 'connect'} onClose={close} position="right" size="lg" title={t`Connect a source`}>
        <ConnectGuide webhook={webhook} />
      </Drawer>
    </>
  )
}
