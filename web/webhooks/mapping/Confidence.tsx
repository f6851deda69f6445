import type { Confidence as Word } from '#contract/payload'
import styles from './MappingTab.module.css'

/** How certain recognition is of a field, beside its reason. */
export function Confidence({ word }: { word: Word }) {
  return (
    <>
      {' · '}
      <span className={word === 'unsure' ? styles.unsure : undefined}>{word}</span>
    </>
  )
}
