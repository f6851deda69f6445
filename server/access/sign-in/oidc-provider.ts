import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { validateAuthorizationCode } from 'better-auth/oauth2'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import { type Discovery, discoveryUrl, readDiscovery, secretPlace } from './discovery.ts'
import { provider } from './single-sign-on.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

type Claims = Record<string, unknown>

const discoveryMs = 10_000

/**
 * Connects the provider to better-auth, which checks state, PKCE, nonce and the signature of the ID token. `admit` gets the
 * claims, and returns the subject of a user with a link.
 */
export function openProvider(
  { issuer, clientId, clientSecret }: SingleSignOn,
  admit: (claims: { idToken: Claims; profile: Claims }) => Promise<string>,
): BetterAuthPlugin {
  let kept: Discovery | undefined
  const discover = async () => {
    if (kept?.token_endpoint === undefined) kept = await readDiscovery(issuer, AbortSignal.timeout(discoveryMs))
    return kept
  }
  const config: GenericOAuthConfig = {
    providerId: provider,
    discoveryUrl: discoveryUrl(issuer),
    requireIdTokenVerification: true,
    clientId,
    clientSecret,
    // better-auth does not read in the discovery document how the secret is sent.
    getToken: async (given) => {
      const discovery = await discover()
      return validateAuthorizationCode({
        ...given,
        options: { clientId, clientSecret },
        tokenEndpoint: String(discovery.token_endpoint),
        authentication: secretPlace(discovery),
      })
    },
    scopes: ['openid', 'email', 'profile'],
    // Neither users nor links are made by better-auth, and signing out ends the session here only.
    disableSignUp: true,
    disableProviderLogout: true,
    // Users are found by their subject. better-auth asks for an email all the same.
    mapProfileToUser: () => ({ email: 'unused@example.com' }),
    accountSubject: ({ tokens, profile }) => admit({ idToken: payloadOf(tokens.idToken), profile }),
  }
  return {
    ...(genericOAuth({ config: [config] }) as BetterAuthPlugin),
    // Reads the provider's discovery document for the first user who needs it. Otherwise better-auth would read it when it
    // starts, and all sessions would wait for the provider.
    init: async () => ({
      context: { genericOAuthPendingDiscovery: new Map([[provider, config]]) } as Partial<AuthContext>,
    }),
  }
}

/** Reads the claims of an ID token that better-auth has verified. Without one, there are none. */
function payloadOf(idToken: string | undefined): Claims {
  return idToken ? JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString()) : {}
}
