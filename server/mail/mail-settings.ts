export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte on. */
  secure: boolean
  auth: { user: string; pass: string } | null
  from: string
}

/** From SMTP_URL and MAIL_FROM; null without a mail server. The address may hold a password, so no sentence repeats it. */
export function mailSettings(smtpUrl: string | null, from: string | null, baseUrl: string): MailSettings | null {
  if (from !== null && !isSender(from)) {
    throw new Error('MAIL_FROM must be an email address, alone or as Name <address>.')
  }
  if (smtpUrl === null) return null
  const server = serverAt(smtpUrl)
  if (!server) {
    throw new Error('SMTP_URL must be smtp://user:password@host:port, or smtps:// where TLS is spoken from the start.')
  }
  return { ...server, from: from ?? senderAt(new URL(baseUrl).hostname) }
}

function serverAt(text: string): Omit<MailSettings, 'from'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const secure = protocol === 'smtps:'
  const plain = ['', '/'].includes(pathname) && search === '' && hash === ''
  if (!(secure || protocol === 'smtp:') || hostname === '' || !plain || (username === '') !== (password === ''))
    return null
  try {
    const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : null
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 465 : 587), secure, auth }
  } catch {
    return null
  }
}

function senderAt(hostname: string): string {
  if (!/[a-z]$/i.test(hostname)) {
    throw new Error('MAIL_FROM must be set with SMTP_URL where BASE_URL names no domain.')
  }
  return `Lead Engine <no-reply@${hostname}>`
}

const isSender = (text: string) =>
  /^(?:[^<>@,;:"\p{Cc}]+ <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u.test(text)
