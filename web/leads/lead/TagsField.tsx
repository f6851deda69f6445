import { TagsInput } from '@mantine/core'
import { useRef } from 'react'
import { maxTags } from '#contract/leads'
import styles from './Field.module.css'
import { Field, ValueButton } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  value: string[]
  /** `before` are the tags when the field was opened: others may have changed them since. */
  save(tags: string[], before: string[]): Promise<unknown>
}

/** Enter adds the typed tag. Without one, it saves. */
export function TagsField({ value, save }: Props) {
  const before = useRef(value)
  const { draft, open, opener, change, input } = useInlineEdit({
    value,
    same: (one, other) => one.join('\n') === other.join('\n'),
    save: (tags) => save(tags, before.current),
  })
  const { onKeyDown, ...rest } = input
  return (
    <Field label="Tags">
      {(labelId) =>
        draft ? (
          <TagsInput
            {...rest}
            aria-label="Tags"
            value={draft}
            onChange={change}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.currentTarget.value.trim() === '') onKeyDown(event)
            }}
            maxTags={maxTags}
            maxLength={100}
          />
        ) : (
          <ValueButton
            ref={opener}
            labelId={labelId}
            onClick={() => {
              before.current = value
              open()
            }}
          >
            {value.length === 0 ? null : (
              <span className={styles.tags}>
                {value.map((tag) => (
                  <span key={tag} className={styles.tag}>
                    {tag}
                  </span>
                ))}
              </span>
            )}
          </ValueButton>
        )
      }
    </Field>
  )
}
