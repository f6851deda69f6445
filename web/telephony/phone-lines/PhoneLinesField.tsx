import { t } from '@lingui/core/macro'
import { TagsInput, type TagsInputProps } from '@mantine/core'

export const phoneLinesLabel = t`Phone numbers and extensions`

/** The lines of one user. */
export function PhoneLinesField(props: Omit<TagsInputProps, 'maxTags' | 'maxLength' | 'placeholder'>) {
  return <TagsInput placeholder={t`Press Enter after each one`} maxTags={20} maxLength={200} {...props} />
}
