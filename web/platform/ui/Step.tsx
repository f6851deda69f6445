import { Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Step.module.css'

interface Props {
  number: number
  title: string
  done?: boolean
  children: ReactNode
}

/** One of the steps of a guide, in an ordered list. */
export function Step({ number, title, done = false, children }: Props) {
  return (
    <li className={styles.step}>
      <StepNumber number={number} done={done} />
      <div className={styles.body}>
        <Title order={2} mb={8}>
          {title}
        </Title>
        {children}
      </div>
    </li>
  )
}

/** A check mark once the step is done. */
export const StepNumber = ({ number, done }: { number: number; done: boolean }) => (
  <span className={styles.number} data-done={done || undefined} aria-hidden>
    {done ? <IconCheck size={16} /> : number}
  </span>
)

export const Steps = ({ children }: { children: ReactNode }) => <ol className={styles.steps}>{children}</ol>
