import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <Title order={2} id={id} mb={16}>
        {title}
      </Title>
      {children}
    </section>
  )
}

/** Panels below each other; two such stacks stand side by side where there is room. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>

export const Stacks = ({ children }: { children: ReactNode }) => <div className={styles.stacks}>{children}</div>
