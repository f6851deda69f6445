import { hasVisibleText } from '../../platform/http/visible-text.ts'
import { type Role, roles } from '../account/contract.ts'
import { isUserEmail } from '../account/user-email.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

type Claims = Record<string, unknown>

/** In seconds: how far the clock of the provider may be ahead. */
const maxAheadSeconds = 300

/** Who the provider says has signed in. */
export interface Identity {
  /** Never reused by the provider. It stays the same when the email changes. */
  subject: string
  /** Null if there is none that a user can have. */
  email: string | null
  /** Whether the provider has checked that the email is theirs. */
  isVerified: boolean
  name: string
  /** The highest of their roles; null without one. */
  role: Role | null
}

/** Returns why an ID token that is signed for this client was not issued to it, or null. `now` is in milliseconds. */
export function rejectIdToken({ aud, azp, iat }: Claims, clientId: string, now: number): string | null {
  const hasOthers = Array.isArray(aud) && aud.some((audience) => audience !== clientId)
  if (hasOthers && azp !== clientId) return 'The ID token has other audiences, and was issued to another client (azp).'
  if (typeof iat === 'number' && iat > now / 1000 + maxAheadSeconds)
    return 'The ID token was issued in the future: check the clocks of the provider and of this server.'
  return null
}

/** `idToken` is the verified one. `profile` has the email: the ID token, or the answer of the userinfo endpoint. */
export function readClaims(
  { idToken, profile }: { idToken: Claims; profile: Claims },
  { roleClaim, roles: roleOf }: Pick<SingleSignOn, 'roleClaim' | 'roles'>,
): Identity | null {
  const { sub } = idToken
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) return null
  const email = typeof profile.email === 'string' ? profile.email.trim() : ''
  const claim = roleClaim === null ? undefined : (claimAt(idToken, roleClaim) ?? claimAt(profile, roleClaim))
  // Keycloak writes groups with their path: /sales.
  const given = valuesOf(claim).map((value) => roleOf.get(value) ?? roleOf.get(value.replace(/^\//, '')))
  return {
    subject: sub,
    email: isUserEmail(email) ? email : null,
    // Entra ID has no email_verified: its optional claim says that the tenant owns the domain of the email.
    isVerified: ['true', '1'].includes(textOf(profile.email_verified ?? profile.xms_edov).toLowerCase()),
    name: nameOf(profile) || email.split('@')[0]!,
    role: roles.find((role) => given.includes(role)) ?? null,
  }
}

/** Returns a claim as text. An object or a list has none, and might not be convertible. */
const textOf = (claim: unknown) => (claim !== null && typeof claim === 'object' ? '' : String(claim))

/**
 * Returns the values of a claim about roles: a list, a text with commas (`sales, support`, `["sales","support"]`), or an object with a key
 * for each, as Zitadel has it.
 */
function valuesOf(claim: unknown): string[] {
  if (typeof claim === 'string')
    return [claim, ...claim.split(/[,;]/).map((part) => part.replace(/^[\s["]+|[\s\]"]+$/g, ''))]
  return [claim].flat().flatMap((value) => (isObject(value) ? keysOf(value) : [textOf(value)]))
}

const isObject = (value: unknown): value is Claims =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A key with `false` is a role that the person does not have. */
const keysOf = (value: Claims) => Object.keys(value).filter((key) => value[key] === true || isObject(value[key]))

/** Finds `realm_access.roles` as one name, as some providers have it, or within objects. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
      ? (value as Claims)[name]
      : undefined
  }, claims)
}

const nameOf = ({ name, given_name, family_name, preferred_username }: Claims) =>
  lineOf(name) || `${lineOf(given_name)} ${lineOf(family_name)}`.trim() || lineOf(preferred_username)

/** Returns one line of visible text, as long as a user's name may be, or an empty text. */
function lineOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const line = value
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
  return hasVisibleText(line) ? line : ''
}
