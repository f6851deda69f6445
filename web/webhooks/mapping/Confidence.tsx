import type { Confidence as Word } from '#contract/payload'
import styles from './MappingTab.module.css'

/** Whether recognition is sure of a field, beside its reason. A suggested one is not used. */
export function Confidence({ word }: { word: Word }) {
  return (
    <>
      {' · '}
      <span className={word === 'sure' ? undefined : styles.unsure}>{word}</span>
    </>
  )
}
