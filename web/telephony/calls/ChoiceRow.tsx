import { Button, createScopedKeydownHandler } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import styles from './CallForm.module.css'

export interface Choice {
  value: string
  label: string
  icon?: Icon
  /** Leaves the page for the phone app. */
  href?: string
  act(byKey?: boolean): void
}

interface Props {
  legend: string
  choices: readonly Choice[]
  /** Answers to a question: none is the usual one. */
  areAnswers: boolean
  saving: boolean
  autoFocus: boolean
}

/** Choices of which a press saves the call, or leads to the next question. They are one tab stop; arrow keys go through them. */
export function ChoiceRow({ legend, choices, areAnswers, saving, autoFocus }: Props) {
  const onKeyDown = createScopedKeydownHandler({
    siblingSelector: '[data-choice]',
    parentSelector: '[data-choices]',
    orientation: 'horizontal',
    loop: true,
    activateOnFocus: false,
    dir: 'ltr',
  })
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      <div className={`${styles.row} ${areAnswers ? '' : styles.outcomes}`} data-choices>
        {choices.map(({ value, label, icon: Sign, href, act }, place) => (
          <Button
            key={value}
            {...(href ? { renderRoot: (props) => <a {...props} href={href} /> } : {})}
            data-choice
            {...(place === 0 ? { 'data-answer': true } : {})}
            {...(place === 0 && autoFocus ? { 'data-autofocus': true } : {})}
            tabIndex={place === 0 ? 0 : -1}
            variant={place === 0 && !areAnswers ? 'filled' : 'default'}
            leftSection={Sign && <Sign size={18} aria-hidden />}
            loading={saving}
            onKeyDown={onKeyDown}
            // The second click of a double one would answer a question that was not read.
            onClick={({ detail }) => detail < 2 && act()}
          >
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
