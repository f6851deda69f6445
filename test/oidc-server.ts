import { createServer } from 'node:http'
// @ts-expect-error It has no types.
import Provider from 'oidc-provider'

/** Who signs in at the provider, and what it says of them. */
export interface Claims {
  sub: string
  email?: string
  /** A boolean, if the provider keeps to the standard. */
  email_verified?: unknown
  name?: string
  roles?: string[]
}

export interface OidcServer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in next; null cancels. */
  person: Claims | null
  /** How many times the discovery document was read. */
  discoveries: number
  close(): Promise<void>
}

interface Options {
  port: number
  /** The URL of the service. */
  baseUrl: string
  /** Whether the email is in the ID token, or only at the userinfo endpoint. */
  inIdToken?: boolean
  /** Whether it takes the client secret in the body only, or in a header only. */
  secretInBody?: boolean
}

/** A real OpenID Connect provider, on a port of this machine. Its page of sign-in has one button. */
export async function oidcServer({
  port,
  baseUrl,
  inIdToken = true,
  secretInBody = false,
}: Options): Promise<OidcServer> {
  const [clientId, clientSecret] = ['lead-engine', 'a secret of the client / with=signs']
  const people = new Map<string, Claims>()
  const authMethod = secretInBody ? 'client_secret_post' : 'client_secret_basic'
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: authMethod,
        redirect_uris: [`${baseUrl}/auth/callback/oidc`],
      },
    ],
    clientAuthMethods: [authMethod],
    claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !inIdToken,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['only for tests'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => people.get(accountId) }),
    interactions: { url: () => '/sign-in' },
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answerProvider = provider.callback()
  const server = createServer(async (request, response) => {
    if (request.url === '/.well-known/openid-configuration') made.discoveries++
    if (request.url !== '/sign-in') return answerProvider(request, response)
    const { person } = made
    if (person) people.set(person.sub, person)
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html')
      return response.end('<!doctype html><form method="post"><button>Continue</button></form>')
    }
    const result = person
      ? { login: { accountId: person.sub } }
      : { error: 'access_denied', error_description: '<b>Cancelled</b>' }
    await provider.interactionFinished(request, response, result)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const made: OidcServer = {
    issuer: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
    person: null,
    discoveries: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return made
}

interface Context {
  oidc: {
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types
    provider: any
    client: { clientId: string }
    session: { accountId: string }
  }
}
