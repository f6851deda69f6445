import { type Icon, IconCircleFilled } from '@tabler/icons-react'
import styles from './Badge.module.css'

export type BadgeColour = 'blue' | 'cyan' | 'violet' | 'amber' | 'green' | 'grey' | 'red'

/** A word with a coloured icon, so that the meaning never depends on colour alone. */
export function Badge({
  colour,
  icon: BadgeIcon = IconCircleFilled,
  children,
}: {
  colour: BadgeColour
  icon?: Icon
  children: string
}) {
  return (
    <span className={styles.badge}>
      <BadgeIcon aria-hidden size={BadgeIcon === IconCircleFilled ? 8 : 14} color={`var(--${colour})`} />
      {children}
    </span>
  )
}
