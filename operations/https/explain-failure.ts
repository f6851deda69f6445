import { AcmeError } from './acme-error.ts'

interface Attempt {
  domain: string
  /** The host of the authority. */
  authority: string
}

/** Returns why there is no certificate, and what to do. */
export function explainFailure(error: unknown, { domain, authority }: Attempt): string {
  if (error instanceof AcmeError) {
    const said = error.type === '' ? `${authority}: ${error.message}` : `${authority} says: ${error.message}`
    return `${said.replace(/\.$/, '')}. ${adviceFor(error.type, domain)}`
  }
  const { code = '', message } = error as Error & { code?: string }
  return `${authority} cannot be asked (${code || message}). ${networkAdvice(code, authority)}`
}

function adviceFor(type: string, domain: string): string {
  switch (type) {
    case 'dns':
      return `Create a DNS record for ${domain} (A, or AAAA for IPv6) with the IP address of this machine.`
    case 'connection':
      return `Let port 80 of ${domain} reach this machine: open it in the firewall of the machine and of its provider, and check the DNS record.`
    case 'unauthorized':
    case 'incorrectResponse':
      return `Another server answers at http://${domain}: let its DNS records, also AAAA, lead to this machine only.`
    case 'caa':
      return `Add this authority to the CAA records of ${domain}, or remove them.`
    case 'rateLimited':
      return 'Wait: until then it issues no certificate for this name.'
    case 'rejectedIdentifier':
    case 'unsupportedIdentifier':
      return 'Set DOMAIN to another host name, or ACME_DIRECTORY_URL to an authority that issues certificates for it.'
    case 'externalAccountRequired':
    case 'unsupported':
      return 'Set ACME_DIRECTORY_URL to another authority, or get the certificate with another program (TLS_CERT_FILE).'
    case 'invalidContact':
    case 'unsupportedContact':
      return 'Correct ACME_EMAIL, or remove it.'
    case 'accountDoesNotExist':
    case 'userActionRequired':
      return 'Delete account.pem in the folder of the certificate, and restart the service: it makes another account.'
  }
  return 'The service tries again. If it stays so, check ACME_DIRECTORY_URL.'
}

function networkAdvice(code: string, authority: string): string {
  if (/CERT|SSL|UNABLE_TO|SELF_SIGNED|ALTNAME/.test(code))
    return 'Set ACME_CA_FILE to the certificates that this authority uses, if it is your own. Otherwise check the clock of this machine.'
  if (code === 'ENOTFOUND') return 'Check ACME_DIRECTORY_URL and the DNS of this machine.'
  return `Let this machine open HTTPS connections to ${authority}.`
}

/**
 * Returns a sentence if the DNS records lead elsewhere, as far as this machine knows: behind a router or a load balancer it does not know
 * its public IP address.
 */
export function dnsHint(domain: string, records: readonly string[], ownIps: readonly string[]): string | null {
  if (records.some((ip) => ownIps.includes(ip))) return null
  const own = ownIps.filter((ip) => !isPrivate(ip))
  if (own.length === 0) return null
  return `${domain} leads to ${records.join(', ')}, and this machine has ${own.join(', ')}: correct the DNS record, unless a router or load balancer is between.`
}

const isPrivate = (ip: string) =>
  /^(10\.|127\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd]|fe[89ab])/i.test(
    ip,
  )
