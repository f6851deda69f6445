import { Autocomplete, TextInput } from '@mantine/core'
import type { HTMLAttributes, ReactNode } from 'react'
import { Field, LinkedValue, ValueButton } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  label: string
  value: string | null
  save(value: string | null): Promise<unknown>
  /** The message for an empty value, if it may not be empty. */
  needed?: string
  explain?(error: unknown, value: string): Promise<ReactNode>
  /** A link for the value, to call or email: a separate button edits it. */
  link?: ReactNode
  /** Values in use. */
  suggestions?: string[] | undefined
  maxLength?: number
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
}

export function TextField({
  label,
  value,
  save,
  needed,
  explain,
  link,
  suggestions,
  maxLength = 200,
  inputMode,
}: Props) {
  const { draft, open, opener, change, commit, input } = useInlineEdit({
    value: value ?? '',
    same: (one, other) => one.trim() === other.trim(),
    save: (text) => save(text.trim() || null),
    validate: (text) => (needed && text.trim() === '' ? needed : undefined),
    explain,
  })
  const props = { ...input, 'aria-label': label, value: draft ?? '', maxLength, inputMode, autoComplete: 'off' }

  return (
    <Field label={label}>
      {(labelId) => {
        if (draft !== undefined && suggestions)
          return (
            <Autocomplete
              {...props}
              data={suggestions}
              limit={8}
              selectFirstOptionOnChange
              maxDropdownHeight={320}
              onChange={change}
              onOptionSubmit={(word) => {
                change(word)
                void commit(true)
              }}
            />
          )
        if (draft !== undefined) return <TextInput {...props} onChange={(event) => change(event.currentTarget.value)} />
        if (value !== null && link)
          return (
            <LinkedValue ref={opener} label={label} onEdit={open}>
              {link}
            </LinkedValue>
          )
        return (
          <ValueButton ref={opener} labelId={labelId} onClick={open}>
            {value}
          </ValueButton>
        )
      }}
    </Field>
  )
}
