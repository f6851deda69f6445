import { post } from '../api.ts'

/** Leaves nothing of the account behind in this tab. */
export async function signOut() {
  await post('/auth/sign-out')
  location.assign('/sign-in')
}
