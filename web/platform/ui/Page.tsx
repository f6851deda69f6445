import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import styles from './Page.module.css'
import { setTitle } from './title.ts'

interface Props {
  title: string
  /** One sentence on what the page is for, if that is not obvious. */
  about?: ReactNode
  /** A link above the title, to the list that the page belongs to. */
  back?: ReactNode
  actions?: ReactNode
  /** Uses the whole width, for tables. Other pages are at most 1,200 pixels wide. */
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
    setTitle(title)
  }, [title])
}
