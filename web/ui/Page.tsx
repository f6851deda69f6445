import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import styles from './Page.module.css'

interface Props {
  title: string
  /** One sentence of what this place is for, where that is not plain. */
  about?: ReactNode
  /** Before the title: where this page belongs. */
  back?: ReactNode
  actions?: ReactNode
  /** Tables take the width; everything else is at most 1,200 pixels wide. */
  wide?: boolean
  children: ReactNode
}

export function Page({ title, about, back, actions, wide = false, children }: Props) {
  useTitle(title)
  return (
    <div className={styles.page} data-wide={wide || undefined}>
      {back}
      <Group justify="space-between" align="center" mb={about ? 4 : 16} gap={8}>
        <Title order={1}>{title}</Title>
        {actions && <Group gap={8}>{actions}</Group>}
      </Group>
      {about && (
        <Text c="dimmed" mb={24} maw={720}>
          {about}
        </Text>
      )}
      {children}
    </div>
  )
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Lead Engine`
  }, [title])
}
