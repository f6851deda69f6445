/** What is used of an OpenID Connect provider's discovery document. Nothing in it is checked. */
export interface Discovery {
  issuer?: unknown
  token_endpoint?: unknown
  token_endpoint_auth_methods_supported?: unknown
}

export const discoveryUrl = (issuer: string) => `${issuer}/.well-known/openid-configuration`

/** Returns the discovery document of the issuer, or an empty one if it is not found. Throws if the provider does not answer. */
export async function readDiscovery(issuer: string, signal: AbortSignal): Promise<Discovery & { status: number }> {
  const response = await fetch(discoveryUrl(issuer), { signal })
  return { ...(response.ok ? ((await response.json()) as Discovery) : {}), status: response.status }
}

/** How the provider takes the client secret: in a header, as is usual, or in the body. */
export function secretPlace({ token_endpoint_auth_methods_supported: methods }: Discovery): 'basic' | 'post' {
  const isOnlyPost =
    Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isOnlyPost ? 'post' : 'basic'
}
