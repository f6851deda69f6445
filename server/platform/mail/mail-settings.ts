export interface MailSettings {
  host: string
  port: number
  /** Whether the connection starts with TLS. */
  secure: boolean
  auth: { user: string; pass: string } | null
  from: string
}

/** Reads SMTP_URL and MAIL_FROM; null without a mail server. SMTP_URL may hold a password, so no error repeats it. */
export function mailSettings(smtpUrl: string | null, from: string | null, baseUrl: string): MailSettings | null {
  if (from !== null && !isSender(from)) {
    throw new Error('MAIL_FROM must be an email address, alone or as Name <email>.')
  }
  if (smtpUrl === null) return null
  const server = parseSmtpUrl(smtpUrl)
  if (!server) {
    throw new Error('SMTP_URL must be smtp://user:password@host:port, or smtps:// if the connection starts with TLS.')
  }
  return { ...server, from: from ?? defaultSender(new URL(baseUrl).hostname) }
}

function parseSmtpUrl(text: string): Omit<MailSettings, 'from'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const secure = protocol === 'smtps:'
  const hasNoPath = ['', '/'].includes(pathname) && search === '' && hash === ''
  if (!(secure || protocol === 'smtp:') || hostname === '' || !hasNoPath || (username === '') !== (password === ''))
    return null
  try {
    const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : null
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 465 : 587), secure, auth }
  } catch {
    return null
  }
}

function defaultSender(hostname: string): string {
  if (!/[a-z]$/i.test(hostname)) {
    throw new Error('Set MAIL_FROM too: SMTP_URL is set, and BASE_URL has no domain name to derive the sender from.')
  }
  return `Lead Engine <no-reply@${hostname}>`
}

const isSender = (text: string) =>
  /^(?:[^<>@,;:"\p{Cc}]+ <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u.test(text)
