import { type Icon, IconCircleFilled } from '@tabler/icons-react'
import styles from './Badge.module.css'

export type BadgeColour = 'blue' | 'cyan' | 'violet' | 'amber' | 'green' | 'grey' | 'red'

/** A word with its coloured sign before it; colour alone never tells anything. */
export function Badge({
  colour,
  icon: Sign = IconCircleFilled,
  children,
}: {
  colour: BadgeColour
  icon?: Icon
  children: string
}) {
  return (
    <span className={styles.mark}>
      <Sign aria-hidden size={Sign === IconCircleFilled ? 8 : 14} style={{ color: `var(--${colour})` }} />
      {children}
    </span>
  )
}
