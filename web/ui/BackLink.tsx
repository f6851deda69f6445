import { Anchor } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Page.module.css'

interface Props {
  /** The router's link to it. */
  renderRoot(props: object): ReactNode
  children: ReactNode
}

/** Up to the list that a page belongs to. */
export function BackLink({ renderRoot, children }: Props) {
  return (
    <Anchor size="sm" c="dimmed" className={styles.back} renderRoot={renderRoot}>
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Anchor>
  )
}
