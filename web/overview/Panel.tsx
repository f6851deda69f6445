import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

export function Panel({ title, id: given, children }: { title: string; id?: string; children: ReactNode }) {
  const made = useId()
  const id = given ?? made
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
