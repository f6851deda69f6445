import { t } from '@lingui/core/macro'
import type { Permission } from '#contract/access/api-keys'
import { formatList } from '../../platform/ui/lists.ts'

export const permissionWords: Record<Permission, { word: string; about: string }> = {
  read: { word: t`Read`, about: t`List and find leads and call logs.` },
  write: { word: t`Write`, about: t`Create and merge leads, and log calls.` },
  delete: { word: t`Delete`, about: t`Delete leads and call logs permanently.` },
}

/** "Read, Write" */
export const listPermissions = (permissions: readonly Permission[]) =>
  formatList(permissions.map((one) => permissionWords[one].word)) || t`None`
