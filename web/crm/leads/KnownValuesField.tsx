import { t } from '@lingui/core/macro'
import { type OptionsFilter, TagsInput, type TagsInputProps } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { useState } from 'react'
import { folded } from '#contract/platform/text'
import { findOptions } from '../../platform/ui/find-options.ts'

interface Props extends Omit<TagsInputProps, 'data' | 'searchValue' | 'onSearchChange' | 'filter'> {
  /** Undefined: they are not known yet. */
  known: string[] | undefined
  /** The server lists so many of the most used ones. */
  maxKnown?: number
}

/** Values that are compared with those of leads. Enter takes the known value that is typed in part, if only one begins so. */
export function KnownValuesField({ known = [], maxKnown = 100, value, defaultValue, onChange, ...props }: Props) {
  const [values, setValues] = useUncontrolled({ value, defaultValue, finalValue: [], onChange })
  const [typed, setTyped] = useState('')
  const start = folded(typed.trim())
  const matches = known.filter((one) => start !== '' && folded(one).startsWith(start) && !values.includes(one))
  const only = matches.length === 1 ? matches[0] : undefined
  const filter: OptionsFilter = (asked) => {
    const isOnly = (option: (typeof asked.options)[number]) => 'value' in option && option.value === only
    return findOptions(asked).sort((one, other) => Number(isOnly(other)) - Number(isOnly(one)))
  }
  const isKnown = (one: string) => known.some((other) => other.toLowerCase() === one.trim().toLowerCase())
  const unknown = known.length > 0 && known.length < maxKnown ? values.filter((one) => !isKnown(one)) : []
  return (
    <TagsInput
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        unknown.length > 0 &&
        t`No recent lead has ${{ values: unknown.map((one) => `“${one}”`).join(', ') }}. Check the spelling.`
      }
      {...props}
      data={known}
      value={values}
      onChange={setValues}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={filter}
      selectFirstOptionOnChange={only !== undefined}
    />
  )
}
