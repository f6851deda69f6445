import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ShownKey } from '#contract/access/api-keys'
import { type Data, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { type NewKey, useBlockNavigation } from './NewKeyDialog.tsx'
import { keyKeys } from './queries.ts'

interface Props {
  of: ShownKey
  how: 'regenerate' | 'revoke'
  onClose(): void
  onRegenerated(key: NewKey): void
}

/** Confirms and then regenerates or revokes a key. Either way its current value stops working. */
export function RevokeKey({ of, how, onClose, onRegenerated }: Props) {
  const end = useMutation({
    mutationFn: async () => {
      if (how === 'regenerate') {
        const { data } = await post<Data<{ key: string }>>(`/web/api-keys/${of.id}/regeneration`)
        onRegenerated({ ...of, key: data.key })
      } else {
        await post(`/web/api-keys/${of.id}/revocation`)
        notify(t`${{ name: of.name }} is revoked`)
      }
      void queryClient.invalidateQueries({ queryKey: keyKeys.all })
    },
  })
  useBlockNavigation(end.isPending)
  const user = of.user.name
  const ip = of.last_use?.address
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={how === 'regenerate' ? t`Regenerate ${{ name: of.name }}?` : t`Revoke ${{ name: of.name }}?`}
      action={how === 'regenerate' ? t`Regenerate key` : t`Revoke key`}
      onConfirm={() => end.mutateAsync()}
      typeName={of.name}
    >
      <Stack gap={8}>
        <Text>
          {t`The value that ends in ${{ ending: of.last_four }} stops working immediately.`}{' '}
          {how === 'regenerate'
            ? t`You get a new value. Use it to replace the old one in your programs.`
            : t`This cannot be undone. The key stays in the list of revoked keys.`}
        </Text>
        <Text>
          {of.last_use ? (
            <Trans>
              Last used <Timestamp at={of.last_use.at} /> from {ip}, as {user}.
            </Trans>
          ) : (
            t`It has not been used yet. It is linked to ${user}.`
          )}
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
