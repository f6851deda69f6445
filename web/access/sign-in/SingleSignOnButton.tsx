import { t } from '@lingui/core/macro'
import { Button, type ButtonProps } from '@mantine/core'
import { type SignInOptions, singleSignOnUrl } from '#contract/access/sign-in'
import { stringifySearch } from '../../platform/api/search.ts'

interface Props extends ButtonProps {
  options: NonNullable<SignInOptions['single_sign_on']>
  /** The page to open afterwards. */
  next?: string | undefined
  target?: '_blank'
}

/** Goes to the provider, which returns to the sign-in page. */
export function SingleSignOnButton({ options: { name }, next, ...props }: Props) {
  return (
    <Button component="a" href={singleSignOnUrl + stringifySearch({ next })} {...props}>
      {name ? t`Sign in with ${name}` : t`Sign in with single sign-on`}
    </Button>
  )
}
