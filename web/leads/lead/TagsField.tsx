import { TagsInput } from '@mantine/core'
import styles from './Field.module.css'
import { Field, ValueButton } from './Field.tsx'
import { useInPlace } from './use-in-place.ts'

/** Enter adds the tag that is typed; with nothing typed it saves. */
export function TagsField({ value, save }: { value: string[]; save(tags: string[]): Promise<unknown> }) {
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
          <ValueButton ref={opener} labelId={labelId} onClick={open}>
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
