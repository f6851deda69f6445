import { isAway, unwritableBy } from './errors.ts'

/** Returns whether the server is unreachable, or rejects the role. */
export function isSignInProblem(error: unknown): error is Error {
  const code = codeOf(error)
  return isAway(error) || /^28|^3D000$|^42501$|TLS|CERT|SSL/.test(code) || isUntrusted(code)
}

/** Explains it, without a final dot. */
export function explainError(error: Error): string {
  const { message } = error
  if (isUntrusted(codeOf(error)))
    return 'the certificate of the server is not trusted: set sslrootcert to its authority'
  if (unwritableBy(error)) return `the database accepts no writes (${message}): run lead-engine doctor`
  if (codeOf(error) === 'SERVER_WITHOUT_TLS') return 'the server offers no TLS, which sslmode requires'
  return message
}

/** Returns what to do. `variable` names the connection. */
export function suggestFix(error: unknown, variable: string): string {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return `Start PostgreSQL, or correct host and port in ${variable}.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `Correct the host in ${variable}, or check DNS.`
  if (/TIMEOUT|ETIMEDOUT|UNREACH/.test(code)) {
    return `Check host and port in ${variable}, and the firewall between this machine and PostgreSQL.`
  }
  if (code.startsWith('28')) {
    return `Correct user and password in ${variable}, and check that pg_hba.conf of PostgreSQL admits this user.`
  }
  if (code === '3D000') return `Create the database, or correct its name in ${variable}.`
  if (code === '42501') return 'Grant the user CONNECT on the database.'
  if (code === '53300') return 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.'
  if (code === '57P03') return 'Wait until PostgreSQL has started, and run doctor again.'
  if (/^53|^58/.test(code)) return 'Check disk and memory of the database server: its log names the cause.'
  if (/TLS|CERT|SSL/.test(code) || isUntrusted(code)) return `Correct sslmode and sslrootcert in ${variable}.`
  return 'Check the log of PostgreSQL.'
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code)

const isUntrusted = (code: string) => /^UNABLE_TO_|SELF_SIGNED/.test(code)
