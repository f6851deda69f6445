import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a page with its own heading. */
export function Section({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb={about ? 4 : 12}>
        {title}
      </Title>
      {about && (
        <Text c="dimmed" mb={16}>
          {about}
        </Text>
      )}
      {children}
    </section>
  )
}
