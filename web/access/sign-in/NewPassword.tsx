import { t } from '@lingui/core/macro'
import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core'
import { minPasswordLength } from './rules.ts'

/** A field for a new password. Password managers read its limits. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      autoComplete="new-password"
      minLength={minPasswordLength}
      maxLength={128}
      required
      description={
        <Text span inherit>
          {t`At least ${{ minPasswordLength }} characters. Several words are stronger than one word with symbols.`}
        </Text>
      }
      {...props}
    />
  )
}
