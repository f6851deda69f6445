import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core'

const shortest = 10

/** What a new password has to be, for people and for the password managers that read it. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      autoComplete="new-password"
      minLength={shortest}
      maxLength={128}
      required
      description={
        <Text span inherit>
          At least {shortest} characters. A few words you can remember are better than one with signs in it.
        </Text>
      }
      {...props}
    />
  )
}
