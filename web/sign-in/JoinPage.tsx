import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LinkHolder, SignInAnswer } from '#contract/sign-in'
import { ApiProblem, type Data, post } from '../api.ts'
import { Problem } from '../ui/Problem.tsx'
import { formatDateTime, formatTimeLeft } from '../ui/time.ts'
import { useSaveForm } from '../ui/use-save-form.ts'
import { CenteredPage } from './CenteredPage.tsx'
import { NewPassword } from './NewPassword.tsx'

/** The page of a one-time link: an invitation, or a new password. */
export function JoinPage() {
  const { token } = getRouteApi('/join/$token').useParams()
  const holder = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await post<Data<LinkHolder>>('/web-public/link', { token })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const gone = holder.error instanceof ApiProblem && holder.error.status === 404
  return (
    <CenteredPage
      title={
        gone ? 'This link no longer works' : holder.data?.kind === 'reset' ? 'Choose a new password' : 'Join your team'
      }
    >
      {holder.isPending && <Skeleton height={240} />}
      {gone ? (
        <Stack gap={16}>
          <Text>It was used, it expired, or a newer one was created. Ask an Admin of your account for a new link.</Text>
          <Anchor component={Link} to="/sign-in">
            Go to sign-in
          </Anchor>
        </Stack>
      ) : (
        <Problem error={holder.error} retry={holder.refetch} />
      )}
      {holder.data && <ChoosePassword token={token} holder={holder.data} />}
    </CenteredPage>
  )
}

function ChoosePassword({ token, holder }: { token: string; holder: LinkHolder }) {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { password: '' },
    save: async ({ password }) => {
      const { email } = (await post<Data<{ email: string }>>('/web-public/join', { token, password })).data
      // The password is saved. If a second factor is needed, the sign-in page asks for it.
      const signedIn = await post<SignInAnswer>('/auth/sign-in/email', { email, password }).catch(() => null)
      return signedIn !== null && 'user' in signedIn
    },
    onSaved: (signedIn) => location.assign(signedIn ? '/' : '/sign-in'),
  })
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <Text>
          {holder.kind === 'invitation' ? (
            <>
              {holder.name}, you are invited to <strong>{holder.account}</strong>. Choose a password to sign in with.
            </>
          ) : (
            <>
              For {holder.name} of <strong>{holder.account}</strong>. Your other sessions end.
            </>
          )}
        </Text>
        {/* Password managers save it with the password. */}
        <TextInput label="Email" value={holder.email} readOnly autoComplete="username" />
        <NewPassword label="New password" key={form.key('password')} {...form.getInputProps('password')} />
        <Problem error={problem} />
        <Button type="submit" loading={saving.isPending || saving.isSuccess}>
          {holder.kind === 'invitation' ? 'Join' : 'Save password'}
        </Button>
        <Text size="xs" c="dimmed">
          Valid until {formatDateTime(holder.expires_at)} ({formatTimeLeft(holder.expires_at)})
        </Text>
      </Stack>
    </form>
  )
}
