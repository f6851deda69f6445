import { t } from '@lingui/core/macro'
import { LongText } from '../LongText.tsx'
import styles from '../Tree.module.css'

/** A payload as it was received. Objects and lists can be collapsed. */
export function PayloadTree({ payload }: { payload: Record<string, unknown> }) {
  return (
    <div className={styles.tree}>
      <Entries value={payload} />
    </div>
  )
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Entries shown at one level; the JSON view has all of them. */
const maxEntries = 200

function Entries({ value }: { value: object }) {
  const entries = Object.entries(value)
  const list = Array.isArray(value)
  return (
    <ul>
      {entries.slice(0, maxEntries).map(([key, inner]) => (
        <li key={key}>
          <Entry name={list ? `[${key}]` : key} value={inner} />
        </li>
      ))}
      {entries.length > maxEntries && (
        <li className={styles.note}>{t`and ${{ count: entries.length - maxEntries }} more`}</li>
      )}
    </ul>
  )
}

function Entry({ name, value }: { name: string; value: unknown }) {
  if (!isBranch(value))
    return (
      <div className={styles.pair}>
        <span className={`${styles.key} ${styles.clamped}`}>{name}</span>
        <span className={styles.value} data-kind={value === null ? 'nothing' : typeof value}>
          {typeof value === 'string' ? value === '' ? t`empty` : <LongText text={value} /> : String(value)}
        </span>
      </div>
    )
  const count = Object.keys(value).length
  if (count === 0)
    return (
      <div className={styles.pair}>
        <span className={styles.key}>{name}</span>
        <span className={styles.note}>{Array.isArray(value) ? t`empty list` : t`empty`}</span>
      </div>
    )
  return (
    <details open>
      <summary>
        <span className={styles.key}>{name}</span>{' '}
        <span className={styles.note}>{Array.isArray(value) ? t`list of ${count}` : ''}</span>
      </summary>
      <Entries value={value} />
    </details>
  )
}
