import { isLoopback } from '../../platform/http/origins.ts'
import { type Role, roles } from '../account/contract.ts'

/** The OpenID Connect provider with which users of one account sign in. */
export interface SingleSignOn {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What users call the provider; null if OIDC_NAME is not set. */
  name: string | null
  /** The account, by name or id; null if it is the only one. */
  account: string | null
  /** The claim that says the role; null if only invited users may sign in. */
  roleClaim: string | null
  /** The role of each value of the claim. */
  roles: Map<string, Role>
  /** Whether only Admins may sign in with a password. */
  only: boolean
}

const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const optional = ['OIDC_NAME', 'OIDC_ACCOUNT', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES', 'OIDC_ONLY'] as const

const maxNameLength = 40

/** Reads the variables of single sign-on; null if none is set. Throws one error with a line for each problem. */
export function singleSignOn(given: (name: string) => string | null): SingleSignOn | null {
  const set = [...required, ...optional].filter((name) => given(name) !== null)
  if (set.length === 0) return null
  const problems: string[] = []
  const missing = required.filter((name) => given(name) === null)
  if (missing.length > 0) problems.push(`Set ${missing.join(' and ')} too: ${set[0]} is set.`)
  const issuer = given('OIDC_ISSUER')
  if (issuer !== null && !isIssuer(issuer)) {
    problems.push(`OIDC_ISSUER must be the provider's issuer, a URL that starts with https://, and is "${issuer}".`)
  }
  const name = given('OIDC_NAME')
  if (name !== null && (name.length > maxNameLength || /\p{Cc}/u.test(name))) {
    problems.push(`OIDC_NAME must be a name of at most ${maxNameLength} characters.`)
  }
  const roleClaim = given('OIDC_ROLE_CLAIM')
  const pairs = given('OIDC_ROLES')
  if (pairs !== null && roleClaim === null) problems.push('Set OIDC_ROLE_CLAIM too: OIDC_ROLES is set.')
  const roleOf = pairs === null ? new Map(roles.map((role) => [role as string, role])) : readRoles(pairs)
  if (!roleOf) {
    problems.push(`OIDC_ROLES must be pairs such as crm-admins=Admin,sales=Agent, with the roles ${roles.join(', ')}.`)
  }
  const only = given('OIDC_ONLY') ?? 'false'
  if (!['true', 'false'].includes(only)) problems.push(`OIDC_ONLY must be true or false, and is "${only}".`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return {
    issuer: issuer!.replace(/\/+$/, ''),
    clientId: given('OIDC_CLIENT_ID')!,
    clientSecret: given('OIDC_CLIENT_SECRET')!,
    name,
    account: given('OIDC_ACCOUNT'),
    roleClaim,
    roles: roleOf!,
    only: only === 'true',
  }
}

/** Secrets and identities pass over this connection, so it is encrypted unless it stays on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || text.includes('/.well-known/')) return false
  const { protocol, search, hash } = new URL(text)
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback(text))) && search === '' && hash === ''
}

/** A value may contain equals signs: the last one stands before the role. */
function readRoles(text: string): Map<string, Role> | null {
  const pairs = text.split(',').map((pair) => /^\s*(.+?)\s*=\s*(\w+)\s*$/.exec(pair))
  const known = pairs.map((pair) => roles.find((role) => role === pair?.[2]))
  if (known.includes(undefined)) return null
  return new Map(pairs.map((pair, at) => [pair![1]!, known[at]!]))
}
