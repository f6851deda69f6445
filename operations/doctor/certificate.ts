import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
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
    const incomplete = judgeChain(tls.cert.toString(), tls.certFile)
    const finding = judgeCertificate(new X509Certificate(tls.cert), { certFile: tls.certFile, baseUrl, now })
    return finding.ok ? (incomplete ?? finding) : finding
  },
})

/** Programs do not look for the certificate of the issuer themselves. */
export function judgeChain(pem: string, certFile: string, roots: readonly string[] = rootCertificates): Finding | null {
  const chain = (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  )
  const last = chain.at(-1)
  const isIssuedBy = (issuer: X509Certificate) => last!.checkIssued(issuer)
  if (!last || isIssuedBy(last) || roots.some((root) => isIssuedBy(new X509Certificate(root)))) return null
  if (chain.length > 1) return null
  return problem(
    `${certFile} has the certificate of the host, and not that of its issuer, ${last.issuer.replaceAll('\n', ', ')}: many platforms and phones do not connect.`,
    'Let TLS_CERT_FILE name a file with the whole chain: fullchain.pem of certbot, not cert.pem.',
  )
}

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
