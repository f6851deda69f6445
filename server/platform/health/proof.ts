import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** With this header, doctor proves to /healthz that it knows the secret of the installation. */
export const proofHeader = 'x-lead-engine-proof'

/** Returns the proof. Another installation has another secret, and so another proof. */
export function makeProof(secret: string): string {
  return createHmac('sha256', secret).update('doctor').digest('base64url')
}

export function isProof(given: unknown, proof: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(proof))
}

/** What /healthz says of a request with the proof. */
export interface ServiceView {
  base_url: string
  /** The IP address that connected: that of the proxy, if there is one. */
  peer: string
  /** Whether TRUST_PROXY names the peer. */
  trusted: boolean
  /** Whether the request has X-Forwarded-For. */
  forwarded: boolean
  /** How many files and connections the process may open; null where the system does not say. */
  max_files: number | null
  /** The newest page of the web app whose changes were rejected, because BASE_URL has another origin. */
  rejected_origin: { origin: string; at: string } | null
}
