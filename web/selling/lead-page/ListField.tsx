import { TagsInput } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import styles from './Field.module.css'
import { Field, LinkedValue, ValueButton } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  label: string
  value: string[]
  /** `before` are the values when the field was opened: others may have changed them since. */
  save(values: string[], before: string[]): Promise<unknown>
  maxItems: number
  maxLength: number
  /** Links for the values, to call or email: a separate button edits them. */
  links?: ReactNode
  placeholder?: string
}

/** Several values. Enter adds the typed one. Without one, it saves. */
export function ListField({ label, value, save, maxItems, maxLength, links, placeholder }: Props) {
  const before = useRef(value)
  const { draft, open, opener, change, input } = useInlineEdit({
    value,
    same: (one, other) => one.join('\n') === other.join('\n'),
    save: (values) => save(values, before.current),
  })
  const { onKeyDown, ...rest } = input
  const edit = () => {
    before.current = value
    open()
  }
  return (
    <Field label={label}>
      {(labelId) => {
        if (draft)
          return (
            <TagsInput
              {...rest}
              aria-label={label}
              value={draft}
              onChange={change}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.currentTarget.value.trim() === '') onKeyDown(event)
              }}
              maxTags={maxItems}
              maxLength={maxLength}
              {...(placeholder ? { placeholder } : {})}
            />
          )
        if (links && value.length > 0)
          return (
            <LinkedValue ref={opener} label={label} onEdit={edit}>
              <div className={styles.links}>{links}</div>
            </LinkedValue>
          )
        return (
          <ValueButton ref={opener} labelId={labelId} onClick={edit}>
            {value.length === 0 ? null : (
              <span className={styles.tags}>
                {value.map((item) => (
                  <span key={item} className={styles.tag}>
                    {item}
                  </span>
                ))}
              </span>
            )}
          </ValueButton>
        )
      }}
    </Field>
  )
}
