import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

export function Panel({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  const ownId = useId()
  return (
    <section className={styles.panel} aria-labelledby={id ?? ownId}>
      <Title order={2} id={id ?? ownId} mb={16}>
        {title}
      </Title>
      {children}
    </section>
  )
}

/** Panels below each other. Two stacks are side by side if there is room. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>

export const Stacks = ({ children }: { children: ReactNode }) => <div className={styles.stacks}>{children}</div>
