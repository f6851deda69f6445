import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Divider, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { LinkHolder, SignInAnswer } from '#contract/access/sign-in'
import { type Data, isNotFound, post } from '../../platform/api/api.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { formatDateTime, formatTimeLeft } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { CenteredPage } from './CenteredPage.tsx'
import { NewPassword } from './NewPassword.tsx'
import NotSetUp from './NotSetUp.tsx'
import { OnlyAdmin } from './OnlyAdmin.tsx'
import { signInOptionsQuery } from './options.ts'
import { newPasswordRule } from './rules.ts'
import { SingleSignOnButton } from './SingleSignOnButton.tsx'

const SetUp = lazy(() => import('./SetUp.tsx'))

/** The page of a one-time link: an invitation, a new password, or the set-up of the installation. */
export function JoinPage() {
  const { token } = getRouteApi('/join/$token').useParams()
  const holder = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await post<Data<LinkHolder>>('/web-public/link', { token })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (holder.data?.kind === 'setup')
    return (
      <Suspense>
        <SetUp token={token} expiresAt={holder.data.expires_at} />
      </Suspense>
    )
  const gone = isNotFound(holder.error)
  return (
    <CenteredPage
      title={
        gone
          ? t`This link no longer works`
          : holder.data?.kind === 'reset'
            ? t`Choose a new password`
            : t`Join your team`
      }
    >
      {holder.isPending && <Skeleton height={240} />}
      {gone ? <Gone /> : <Problem error={holder.error} retry={holder.refetch} />}
      {holder.data && <Join token={token} holder={holder.data} />}
    </CenteredPage>
  )
}

/** Offers single sign-on to invited users, and only that if they may not use a password. */
function Join({ token, holder }: { token: string; holder: LinkHolder }) {
  const { name, account, kind, may_use_password } = holder
  const singleSignOn = useQuery(signInOptionsQuery).data?.single_sign_on
  return (
    <Stack gap={16}>
      {may_use_password ? (
        <ChoosePassword token={token} holder={holder} />
      ) : (
        <Text>
          <Trans>
            {name}, you sign in to <strong>{account}</strong> without a password.
          </Trans>
        </Text>
      )}
      {singleSignOn && may_use_password && kind === 'invitation' && <Divider label={t`or`} />}
      {singleSignOn && (kind === 'invitation' || !may_use_password) && (
        <SingleSignOnButton options={singleSignOn} variant={may_use_password ? 'default' : 'filled'} />
      )}
    </Stack>
  )
}

function Gone() {
  const { data: options } = useQuery(signInOptionsQuery)
  if (options && !options.is_set_up) return <NotSetUp />
  return (
    <Stack gap={16}>
      <Text>
        <Trans>
          It was used, it expired, or a newer one was created. Sign in if you have a password. If not, ask an Admin of
          your account for a new link.
        </Trans>
      </Text>
      <OnlyAdmin />
      <Anchor component={Link} to="/sign-in">
        <Trans>Go to sign-in</Trans>
      </Anchor>
    </Stack>
  )
}

function ChoosePassword({ token, holder }: { token: string; holder: LinkHolder }) {
  const { name, account } = holder
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { password: '' },
    validate: { password: newPasswordRule },
    save: async ({ password }) => {
      const { email } = (await post<Data<{ email: string }>>('/web-public/join', { token, password })).data
      // The password is saved. If a second factor is needed, the sign-in page asks for it.
      const signedIn = await post<SignInAnswer>('/auth/sign-in/email', { email, password }).catch(() => null)
      return signedIn !== null && 'user' in signedIn
    },
    onSaved: (signedIn) => location.replace(signedIn ? '/' : '/sign-in'),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Text>
          {holder.kind === 'invitation' ? (
            <Trans>
              {name}, you are invited to <strong>{account}</strong>. Choose a password to sign in with.
            </Trans>
          ) : (
            <Trans>
              For {name} of <strong>{account}</strong>. Your other sessions end.
            </Trans>
          )}
        </Text>
        {/* Password managers save it with the password. */}
        <TextInput label={t`Email`} value={holder.email} readOnly autoComplete="username" />
        <NewPassword label={t`New password`} key={form.key('password')} {...form.getInputProps('password')} />
        <Problem error={problem} />
        <Button type="submit" loading={saving.isPending || saving.isSuccess}>
          {holder.kind === 'invitation' ? t`Join` : t`Save password`}
        </Button>
        <Text size="xs" c="dimmed">
          {t`Valid until ${{ time: formatDateTime(holder.expires_at) }} (${{ left: formatTimeLeft(holder.expires_at) }})`}
        </Text>
      </Stack>
    </form>
  )
}
