import { Text } from '@mantine/core'
import { IconArrowMerge, IconPhone, IconPlus, IconX } from '@tabler/icons-react'
import { formatNumber } from '../ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  counts: { created: number; merged: number; refused: number; calls: number }
  /** Counts of a dry run. */
  isPreview?: boolean
}

const kinds = [
  { kind: 'created', icon: IconPlus, colour: 'green' },
  { kind: 'merged', icon: IconArrowMerge, colour: 'violet' },
  { kind: 'refused', icon: IconX, colour: 'red' },
] as const

const resultWords = {
  created: () => 'created',
  merged: () => 'merged',
  refused: () => 'rejected',
}
const previewWords = {
  created: (n: number) => (n === 1 ? 'new lead' : 'new leads'),
  merged: (n: number) => (n === 1 ? 'will merge' : 'will merge'),
  refused: () => 'rejected',
}

export function ImportCounts({ counts, isPreview = false }: Props) {
  const words = isPreview ? previewWords : resultWords
  return (
    <ul className={styles.counts}>
      {kinds.map(({ kind, icon: Sign, colour }) => (
        <li key={kind}>
          <Sign size={18} aria-hidden color={`var(--${colour})`} />
          <Text span fw={600} size="lg">
            {formatNumber(counts[kind])}
          </Text>{' '}
          <span>{words[kind](counts[kind])}</span>
        </li>
      ))}
      {counts.calls > 0 && (
        <li>
          <IconPhone size={18} aria-hidden color="var(--green)" />
          <Text span fw={600} size="lg">
            {formatNumber(counts.calls)}
          </Text>{' '}
          <span>{counts.calls === 1 ? 'call' : 'calls'}</span>
        </li>
      )}
    </ul>
  )
}
