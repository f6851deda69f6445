import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Language, languages } from '#contract/platform/languages'
import { problemText } from '../ui/Problem.tsx'
import styles from './LanguageChoice.module.css'
import { shownLanguage } from './language.ts'

interface Props extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  /** Ends with another page. */
  onChange: (language: Language) => Promise<unknown>
}

/** Each language is named in itself, for those who read no other. */
export function LanguageChoice({ onChange, ...props }: Props) {
  const { mutate, variables, error } = useMutation({ mutationFn: onChange })
  const chosen = error ? undefined : variables
  return (
    <NativeSelect
      {...props}
      classNames={{ input: styles.names! }}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      error={error && problemText(error)}
      value={chosen ?? shownLanguage}
      disabled={chosen !== undefined}
      onChange={({ currentTarget }) => mutate(currentTarget.value as Language)}
    />
  )
}
