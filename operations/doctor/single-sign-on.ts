import { type Discovery, discoveryUrl, readDiscovery, secretPlace } from '../../server/access/sign-in/discovery.ts'
import { findOwnAccount } from '../../server/access/sign-in/single-sign-on.ts'
import type { SingleSignOn } from '../../server/access/sign-in/single-sign-on-settings.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** Reads what the provider says of itself, and tries the client secret with a code that does not exist. */
export const singleSignOn = ({ config, sql }: Installation): Check => ({
  name: 'single_sign_on',
  async run(signal) {
    const settings = config.get().singleSignOn
    if (!settings) return fine('OIDC_ISSUER is not set: users sign in with passwords.')
    if (!(await findOwnAccount(sql.get(), settings)))
      return problem(
        settings.account ? 'OIDC_ACCOUNT names no account.' : 'There are several accounts.',
        'Set OIDC_ACCOUNT to the name or the id of the account whose users sign in with the provider.',
      )
    try {
      const discovery = await readDiscovery(settings.issuer, AbortSignal.any([signal, AbortSignal.timeout(5000)]))
      if (String(discovery.issuer).replace(/\/+$/, '') !== settings.issuer)
        return problem(
          `${discoveryUrl(settings.issuer)} is not the discovery document of this issuer (status ${discovery.status}).`,
          checkIssuer,
        )
      return await trySecret(settings, discovery, signal)
    } catch (error) {
      return problem(`The provider cannot be reached: ${errorMessage((error as Error).cause ?? error)}.`, checkIssuer)
    }
  },
})

const checkIssuer = 'Correct OIDC_ISSUER, and let this machine reach it. Admins can sign in with passwords meanwhile.'

async function trySecret(settings: SingleSignOn, discovery: Discovery, signal: AbortSignal): Promise<Finding> {
  const { clientId, clientSecret } = settings
  const inBody = secretPlace(discovery) === 'post'
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const body = { grant_type: 'authorization_code', code: 'none', redirect_uri: 'https://example.com' }
  const response = await fetch(String(discovery.token_endpoint), {
    method: 'POST',
    headers: inBody ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams(inBody ? { ...body, client_id: clientId, client_secret: clientSecret } : body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
  })
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown }
  // Keycloak says unauthorized_client, and Auth0 access_denied.
  return response.status === 401 || error === 'invalid_client' || error === 'unauthorized_client'
    ? problem('The provider rejects the client.', 'Correct OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
    : fine('The provider answers, and knows the client.')
}
