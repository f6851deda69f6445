import { type ReactNode, useId } from 'react'
import styles from './Field.module.css'

/** A label and what stands under that name. */
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

/** One that nobody changes. */
export const StillField = ({ label, children }: { label: string; children: ReactNode }) => (
  <Field label={label}>{() => <div className={styles.still}>{children}</div>}</Field>
)
