import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

const required = (value: string) => (value.trim() ? null : t`Enter a name.`)

export const nameRules = { company: required, name: required }

/** The name of the account, wherever it is typed. */
export const companyField = {
  label: t`Company name`,
  description: t`Shown to your team, in invitations and in quick replies.`,
  maxLength: 200,
  required: true,
  autoComplete: 'organization',
}

interface Props {
  form: Pick<UseFormReturnType<{ company: string; name: string }>, 'key' | 'getInputProps'>
  autoFocus?: boolean
}

/** The names with which an account starts: of the company, and of its first Admin. */
export const NameFields = ({ form, autoFocus }: Props) => (
  <>
    <TextInput {...companyField} autoFocus={autoFocus} key={form.key('company')} {...form.getInputProps('company')} />
    <TextInput
      label={t`Your name`}
      description={t`Shown to your team, and as the owner of your leads.`}
      maxLength={200}
      required
      autoComplete="name"
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
  </>
)
