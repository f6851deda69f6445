import { post } from '../api.ts'

/** Signs out and loads a new page, so that no data of the account is left in this tab. */
export async function signOut() {
  await post('/auth/sign-out')
  location.assign('/sign-in')
}
