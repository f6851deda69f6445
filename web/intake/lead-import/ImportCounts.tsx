import { plural, t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconArrowMerge, IconCheck, IconPhone, IconPlus, IconX } from '@tabler/icons-react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  /** `imported` rows were saved before the import was interrupted. */
  counts: { imported?: number; created: number; merged: number; rejected: number; calls: number }
  /** Counts of a dry run. */
  isPreview?: boolean
}

const kinds = [
  { kind: 'imported', icon: IconCheck, colour: 'green' },
  { kind: 'created', icon: IconPlus, colour: 'green' },
  { kind: 'merged', icon: IconArrowMerge, colour: 'violet' },
  { kind: 'rejected', icon: IconX, colour: 'red' },
] as const

const resultWords = {
  imported: () => t`already imported`,
  created: () => t`created`,
  merged: () => t`merged`,
  rejected: () => t`rejected`,
}
const previewWords = {
  ...resultWords,
  created: (leads: number) => plural(leads, { one: 'new lead', other: 'new leads' }),
  merged: () => t`will merge`,
}

export function ImportCounts({ counts, isPreview = false }: Props) {
  const words = isPreview ? previewWords : resultWords
  return (
    <ul className={styles.counts}>
      {kinds.map(({ kind, icon: Sign, colour }) => {
        const n = counts[kind] ?? 0
        if (kind === 'imported' && n === 0) return null
        return (
          <li key={kind}>
            <Sign size={18} aria-hidden color={`var(--${colour})`} />
            <Text span fw={600} size="lg">
              {formatNumber(n)}
            </Text>{' '}
            <span>{words[kind](n)}</span>
          </li>
        )
      })}
      {counts.calls > 0 && (
        <li>
          <IconPhone size={18} aria-hidden color="var(--green)" />
          <Text span fw={600} size="lg">
            {formatNumber(counts.calls)}
          </Text>{' '}
          <span>{plural({ calls: counts.calls }, { one: 'call', other: 'calls' })}</span>
        </li>
      )}
    </ul>
  )
}
