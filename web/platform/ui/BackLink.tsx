import { Anchor } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Page.module.css'

interface Props {
  /** Renders the router's link. */
  renderRoot(props: object): ReactNode
  children: ReactNode
}

/** A link to the list that a page belongs to. */
export function BackLink({ renderRoot, children }: Props) {
  return (
    <Anchor size="sm" c="dimmed" className={styles.back} renderRoot={renderRoot}>
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Anchor>
  )
}
