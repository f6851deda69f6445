import { t } from '@lingui/core/macro'
import { ActionIcon, Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ListedUser, type Role, roles } from '#contract/access/account'
import { roleNames } from '../../access/account/role-names.ts'
import styles from './Invite.module.css'
import type { Invitee } from './invitees.ts'
import { useActivate } from './queries.ts'
import type { Row } from './use-invitations.ts'
import { firstName } from './user.ts'

interface Props {
  row: Row
  number: number
  users: ListedUser[]
  teams: string[]
  onChange(part: Partial<Row>): void
  onRemove: (() => void) | undefined
}

export function InviteeRow({ row, number, users, teams, onChange, onRemove }: Props) {
  const activate = useActivate()
  const set = (field: keyof Invitee, value: string) =>
    onChange({ [field]: value, errors: { ...row.errors, [field]: undefined } })
  const field = (name: Exclude<keyof Invitee, 'role' | 'team'>) => ({
    value: row[name],
    error: row.errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => set(name, event.currentTarget.value),
  })
  const email = row.email.trim().toLowerCase()
  const deactivated = row.errors.email && users.find((user) => !user.active && user.email.toLowerCase() === email)
  return (
    <li className={styles.row}>
      <TextInput label={t`Name`} required maxLength={200} {...field('name')} />
      <div>
        <TextInput label={t`Email`} type="email" required maxLength={254} {...field('email')} />
        {deactivated && (
          <Button
            variant="default"
            mt={8}
            loading={activate.isPending}
            onClick={() => activate.mutate(deactivated, { onSuccess: onRemove })}
          >
            {t`Activate ${{ name: firstName(deactivated.name) }}`}
          </Button>
        )}
      </div>
      <NativeSelect
        label={t`Role`}
        data={roles.map((value) => ({ value, label: roleNames[value] }))}
        value={row.role}
        onChange={(event) => onChange({ role: event.currentTarget.value as Role })}
      />
      <Autocomplete
        label={t`Team`}
        data={teams}
        maxLength={200}
        autoComplete="off"
        value={row.team}
        error={row.errors.team}
        onChange={(value) => set('team', value)}
      />
      <TextInput label={t`Phone`} type="tel" maxLength={200} {...field('phone')} />
      <TextInput label={t`Extension`} inputMode="numeric" maxLength={200} {...field('extension')} />
      <ActionIcon
        className={styles.remove}
        variant="subtle"
        color="gray"
        size={36}
        disabled={!onRemove}
        aria-label={row.name ? t`Remove ${{ name: row.name }}` : t`Remove row ${number}`}
        onClick={onRemove}
      >
        <IconX size={16} />
      </ActionIcon>
    </li>
  )
}
