import { t } from '@lingui/core/macro'
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './Field.module.css'

/** A label and its value. */
export function Field({ label, children }: { label: string; children(labelId: string): ReactNode }) {
  const id = useId()
  return (
    <div className={styles.row}>
      <div id={id} className={styles.label}>
        {label}
      </div>
      <div className={styles.value}>{children(id)}</div>
    </div>
  )
}

interface ValueButtonProps {
  ref: Ref<HTMLButtonElement>
  labelId: string
  onClick(): void
  /** The value; null shows "Add". */
  children: ReactNode
}

/** A value that becomes an input when it is pressed. */
export function ValueButton({ ref, labelId, onClick, children }: ValueButtonProps) {
  const id = useId()
  return (
    <UnstyledButton
      ref={ref}
      id={id}
      className={styles.button}
      data-empty={children === null || undefined}
      aria-labelledby={`${labelId} ${id}`}
      onClick={onClick}
    >
      {children ?? t`Add`}
    </UnstyledButton>
  )
}

interface LinkedValueProps {
  ref: Ref<HTMLButtonElement>
  label: string
  onEdit(): void
  /** Links, to call or email. */
  children: ReactNode
}

/** A value whose links do not edit it, with a button that does. */
export function LinkedValue({ ref, label, onEdit, children }: LinkedValueProps) {
  return (
    <div className={styles.linked}>
      {children}
      <ActionIcon
        ref={ref}
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t`Change ${{ field: label.toLowerCase() }}`}
        onClick={onEdit}
      >
        <IconPencil size={14} />
      </ActionIcon>
    </div>
  )
}

/** A value that cannot be edited. */
export const ReadOnlyField = ({ label, children }: { label: string; children: ReactNode }) => (
  <Field label={label}>{() => <div className={styles.still}>{children}</div>}</Field>
)
