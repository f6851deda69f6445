import { t } from '@lingui/core/macro'
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageChoice } from '../../platform/languages/LanguageChoice.tsx'
import { changeTo } from '../../platform/languages/language.ts'
import { useTitle } from '../../platform/ui/Page.tsx'
import styles from './CenteredPage.module.css'

/** A page for who is not signed in: one matter in the middle. */
export function CenteredPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className={styles.alone}>
      <div className={styles.brand}>
        <img src="/icon.svg" alt="" width={28} height={28} />
        Lead Engine
      </div>
      <Title order={1} mb={16}>
        {title}
      </Title>
      {children}
      <LanguageChoice
        aria-label={t`Language`}
        variant="unstyled"
        size="xs"
        className={styles.language!}
        onChange={changeTo}
      />
    </main>
  )
}
