import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { type Language, languages } from '#contract/platform/languages'
import styles from './LanguageChoice.module.css'
import { shownLanguage } from './language.ts'

interface Props extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  onChange: (language: Language) => void
}

/** Each language is named in itself, for those who read no other. */
export function LanguageChoice({ onChange, ...props }: Props) {
  return (
    <NativeSelect
      {...props}
      classNames={{ input: styles.names! }}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      value={shownLanguage}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Language)}
    />
  )
}
