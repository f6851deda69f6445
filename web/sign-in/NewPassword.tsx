import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core'

const shortest = 10

/** A field for a new password. Password managers read its limits. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      autoComplete="new-password"
      minLength={shortest}
      maxLength={128}
      required
      description={
        <Text span inherit>
          At least {shortest} characters. Several words are stronger than one word with symbols.
        </Text>
      }
      {...props}
    />
  )
}
