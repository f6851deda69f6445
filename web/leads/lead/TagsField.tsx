import { TagsInput, UnstyledButton } from '@mantine/core'
import { useId } from 'react'
import styles from './Field.module.css'
import { Field } from './Field.tsx'
import { useInPlace } from './use-in-place.ts'

/** Enter adds the tag that is typed; with nothing typed it saves. */
export function TagsField({ value, save }: { value: string[]; save(tags: string[]): Promise<unknown> }) {
  const valueId = useId()
  const { draft, open, opener, change, input } = useInPlace({
    value,
    same: (one, other) => one.join('\n') === other.join('\n'),
    save,
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
            maxTags={50}
            maxLength={100}
          />
        ) : (
          <UnstyledButton
            ref={opener}
            id={valueId}
            className={styles.button}
            data-empty={value.length === 0 || undefined}
            aria-labelledby={`${labelId} ${valueId}`}
            onClick={open}
          >
            {value.length === 0 ? (
              'Add'
            ) : (
              <span className={styles.tags}>
                {value.map((tag) => (
                  <span key={tag} className={styles.tag}>
                    {tag}
                  </span>
                ))}
              </span>
            )}
          </UnstyledButton>
        )
      }
    </Field>
  )
}
