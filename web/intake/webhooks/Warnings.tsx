import { t } from '@lingui/core/macro'
import { List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './Tree.module.css'

/** The warnings of a delivery: "`budget` is a new field". */
export const Warnings = ({ warnings }: { warnings: { field: string; message: string }[] }) => (
  <List spacing={4} size="sm" listStyleType="none">
    {warnings.map(({ field, message }) => (
      <List.Item
        key={`${field} ${message}`}
        icon={<IconAlertTriangle size={14} color="var(--amber)" aria-label={t`Warning`} />}
      >
        {/^\p{Ll}/u.test(message) && <span className={styles.key}>{field} </span>}
        {message}
      </List.Item>
    ))}
  </List>
)
