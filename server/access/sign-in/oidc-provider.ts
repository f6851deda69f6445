import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import { provider } from './single-sign-on.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

type Claims = Record<string, unknown>

/**
 * Connects the provider to better-auth, which checks state, PKCE, nonce and the signature of the ID token. `admit` gets the
 * claims, and returns the subject of a user with a link.
 */
export function openProvider(
  { issuer, clientId, clientSecret }: SingleSignOn,
  admit: (claims: { idToken: Claims; profile: Claims }) => Promise<string>,
): BetterAuthPlugin {
  const config: GenericOAuthConfig = {
    providerId: provider,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    clientId,
    clientSecret,
    authentication: 'basic',
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
