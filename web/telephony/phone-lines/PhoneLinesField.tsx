import { t } from '@lingui/core/macro'
import { TagsInput, type TagsInputProps } from '@mantine/core'

export const phoneLinesLabel = t`Phone numbers and extensions`

interface Props extends Omit<TagsInputProps, 'maxTags' | 'maxLength' | 'placeholder' | 'description'> {
  description?: string
}

/** The lines of one user. What is typed counts when the field is left. */
export function PhoneLinesField({ description, ...props }: Props) {
  const hint = t`Press Enter after each one.`
  return (
    <TagsInput description={description ? `${description} ${hint}` : hint} maxTags={20} maxLength={200} {...props} />
  )
}
