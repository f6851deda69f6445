import { Text } from '@mantine/core'
import { IconArrowMerge, IconPlus, IconX } from '@tabler/icons-react'
import { formatNumber } from '../ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  counts: { created: number; merged: number; refused: number }
  /** Not done yet. */
  foreseen?: boolean
}

const kinds = [
  { kind: 'created', icon: IconPlus, colour: 'green' },
  { kind: 'merged', icon: IconArrowMerge, colour: 'violet' },
  { kind: 'refused', icon: IconX, colour: 'red' },
] as const

const told = {
  created: () => 'created',
  merged: () => 'merged',
  refused: () => 'refused',
}
const toldBefore = {
  created: (n: number) => (n === 1 ? 'new lead' : 'new leads'),
  merged: (n: number) => (n === 1 ? 'merges with a lead or an earlier row' : 'merge with leads or earlier rows'),
  refused: () => 'refused',
}

export function ImportCounts({ counts, foreseen = false }: Props) {
  const words = foreseen ? toldBefore : told
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
    </ul>
  )
}
