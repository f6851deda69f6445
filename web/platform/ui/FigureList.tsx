import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import styles from './FigureList.module.css'

export interface Figure {
  label: string
  value: string
  note?: string
  target?: LinkProps | undefined
  /** Whether it needs attention. */
  attention?: boolean
}

interface Props {
  label: string
  figures: Figure[]
  /** Above a list: smaller, and without notes. */
  small?: boolean
}

/** Figures beside each other. Those with a target are links. */
export function FigureList({ label, figures, small = false }: Props) {
  return (
    <ul className={styles.figures} data-small={small || undefined} aria-label={label}>
      {figures.map(({ label, value, note, target, attention }) => {
        const figure = (
          <>
            <Text c="dimmed" size={small ? 'xs' : undefined}>
              {label}
            </Text>
            <Text size={small ? undefined : 'xl'} fw={600} className={styles.value}>
              {attention && <IconAlertTriangle size={18} color="var(--red)" aria-hidden />}
              {value}
            </Text>
            {note && (
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            )}
          </>
        )
        return (
          <li key={label}>
            {target ? (
              <Link {...target} preload={false} className={styles.figure}>
                {figure}
              </Link>
            ) : (
              <div className={styles.figure}>{figure}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
