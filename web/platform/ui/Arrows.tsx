import { t } from '@lingui/core/macro'
import { IconArrowRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import styles from './Arrows.module.css'

/** A text whose arrows are drawn: the served font has none. */
export function Arrows({ text }: { text: string }) {
  return text.split('→').map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    <Fragment key={place}>
      {place > 0 && <IconArrowRight size={14} role="img" aria-label={t`to`} className={styles.arrow} />}
      {part}
    </Fragment>
  ))
}
