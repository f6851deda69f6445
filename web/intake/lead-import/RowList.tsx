import { t } from '@lingui/core/macro'
import { Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  title: string
  rows: { line: number; says: string; cells?: string[] }[]
  /** May be larger than the number of rows here. */
  total: number
}

const atFirst = 5
const further = 100

/** Rows of the file, with their line numbers and messages. */
export function RowList({ title, rows, total }: Props) {
  const [shown, setShown] = useState(atFirst)
  if (rows.length === 0) return null
  const more = Math.min(further, rows.length - shown)
  return (
    <section className={styles.rowList}>
      <Title order={3} mb={4}>
        {title} · {formatNumber(total)}
      </Title>
      <ul className={styles.rows} aria-label={title}>
        {rows.slice(0, shown).map(({ line, says, cells }) => (
          <li key={`${line} ${says}`}>
            <span className={styles.line}>{t`Line ${{ number: formatNumber(line) }}`}</span>
            <span>
              {says}
              {cells && (
                <Text c="dimmed" size="xs" lineClamp={2}>
                  {cells.filter(Boolean).join(' · ')}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button variant="default" mt={8} onClick={() => setShown(shown + further)}>
          {t`Show ${{ count: formatNumber(more) }} more`}
        </Button>
      )}
      {more <= 0 && total > rows.length && (
        <Text c="dimmed" mt={8}>
          {t`And ${{ count: formatNumber(total - rows.length) }} more.`}
        </Text>
      )}
    </section>
  )
}
