import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Config } from '../../server/config.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

const day = 86_400_000
/** A renewal that fails is noticed so long before browsers and platforms reject the certificate. */
const renewBefore = 14 * day

/** The certificate of TLS_CERT_FILE. */
export const certificate = ({ config, now }: Installation): Check => ({
  name: 'certificate',
  async run() {
    const { tls, baseUrl } = config.get()
    if (!tls?.cert) return fine('TLS_CERT_FILE is not set: the service itself serves no HTTPS.')
    const mode = statSync(tls.keyFile).mode & 0o777
    if (mode & 0o006) {
      return problem(
        `Every user of this machine can read the key in ${tls.keyFile}: it has mode ${mode.toString(8).padStart(4, '0')}.`,
        `chmod o-rwx '${tls.keyFile}'`,
      )
    }
    return judgeCertificate(new X509Certificate(tls.cert), { certFile: tls.certFile, baseUrl, now })
  },
})

interface Circumstances extends Pick<Config, 'baseUrl'> {
  certFile: string
  now: Date
}

export function judgeCertificate(
  found: Pick<X509Certificate, 'validFrom' | 'validTo' | 'checkHost' | 'checkIP'>,
  { certFile, baseUrl, now }: Circumstances,
): Finding {
  const { hostname } = new URL(baseUrl)
  const ip = hostname.replace(/^\[(.*)\]$/, '$1')
  if (now.getTime() < Date.parse(found.validFrom)) {
    return problem(
      `The certificate in ${certFile} is valid from ${found.validFrom} on.`,
      'Correct the clock, or use another certificate.',
    )
  }
  const expiry = judgeExpiry(`The certificate in ${certFile}`, Date.parse(found.validTo), now)
  if (expiry) return expiry
  if (!found.checkHost(hostname) && !found.checkIP(ip)) {
    return problem(
      `The certificate in ${certFile} is not for ${hostname}, the host of BASE_URL.`,
      'Use a certificate for that host, or correct BASE_URL.',
    )
  }
  return fine(`The certificate is valid until ${found.validTo}.`)
}

/** Returns null if it is valid for long enough. */
export function judgeExpiry(what: string, until: number, now: Date): Finding | null {
  const left = until - now.getTime()
  if (left > renewBefore) return null
  const date = new Date(until).toISOString()
  return problem(
    left > 0
      ? `${what} expires in ${Math.floor(left / day)} days, at ${date}: browsers and platforms then reject it.`
      : `${what} has expired at ${date}: browsers and platforms reject it.`,
    'Renew it. The service uses the new files of TLS_CERT_FILE and TLS_KEY_FILE by itself. If a program renews it, read why that fails.',
  )
}
