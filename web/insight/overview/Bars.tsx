import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import styles from './Bars.module.css'

export interface Bar {
  key: string
  /** A badge, or text. */
  name: ReactNode
  amount: number
  /** "25 leads, 10 calls" */
  text: string
  colour: string
  /** The list of what it counts. */
  target?: LinkProps | undefined
}

const maxShown = 12

/** Horizontal bars, each a link to the list of what it counts. */
export function Bars({ label, bars, empty }: { label: string; bars: Bar[]; empty: string }) {
  const [all, { open }] = useDisclosure()
  const shown = all ? bars : bars.slice(0, maxShown)
  const count = formatNumber(bars.length)
  const max = Math.max(...bars.map(({ amount }) => amount), 1)
  if (bars.every(({ amount }) => amount === 0)) return <Text c="dimmed">{empty}</Text>
  return (
    <>
      <ul className={styles.bars} aria-label={label}>
        {shown.map(({ key, name, amount, text, colour, target }) => {
          const row = (
            <>
              <span className={styles.name} title={typeof name === 'string' ? name : undefined}>
                {name}
              </span>{' '}
              <span className={styles.text}>{text}</span>
              <span className={styles.track} aria-hidden>
                {amount > 0 && <span style={{ width: `${(amount / max) * 100}%`, background: colour }} />}
              </span>
            </>
          )
          return (
            <li key={key}>
              {target ? (
                <Link {...target} preload={false} className={styles.row}>
                  {row}
                </Link>
              ) : (
                <div className={styles.row}>{row}</div>
              )}
            </li>
          )
        })}
      </ul>
      {bars.length > shown.length && (
        <Button variant="subtle" color="gray" size="xs" mt={8} onClick={open}>
          <Trans>Show all {count}</Trans>
        </Button>
      )}
    </>
  )
}
