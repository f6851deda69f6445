import { t } from '@lingui/core/macro'
import type { Confidence as Word } from '#contract/intake/payload'
import styles from './MappingTab.module.css'

const names: Record<Word, string> = { sure: t`sure`, unsure: t`unsure`, suggested: t`suggested` }

/** Whether recognition is sure of a field, beside its reason. A suggested one is not used. */
export function Confidence({ word }: { word: Word }) {
  return (
    <>
      {' · '}
      <span className={word === 'sure' ? undefined : styles.unsure}>{names[word]}</span>
    </>
  )
}
