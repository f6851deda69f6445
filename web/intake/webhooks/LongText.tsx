import { t } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import styles from './LongText.module.css'

const maxLength = 180

/** Text from outside; what is very long is cut, with a way to see the whole. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  if (text.length <= maxLength + 20) return <span className={styles.text}>{text}</span>
  return (
    <span className={styles.text}>
      {whole ? text : `${text.slice(0, maxLength).toWellFormed()}…`}{' '}
      <UnstyledButton className={styles.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? t`Show less` : t`Show all ${{ count: text.length }} characters`}
      </UnstyledButton>
    </span>
  )
}
