import type { Permission } from '#contract/api-keys'

export const permissionWords: Record<Permission, { word: string; about: string }> = {
  read: { word: 'Read', about: 'List and find leads and call logs.' },
  write: { word: 'Write', about: 'Create and merge leads, and log calls.' },
  delete: { word: 'Delete', about: 'Delete leads and call logs permanently.' },
}

/** "Read, Write" */
export const listPermissions = (permissions: readonly Permission[]) =>
  permissions.map((one) => permissionWords[one].word).join(', ') || 'None'
