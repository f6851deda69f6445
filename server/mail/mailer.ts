import { createTransport } from 'nodemailer'
import { type Letter, writeLetter } from './letter.ts'
import type { MailSettings } from './mail-settings.ts'

export interface Mailer {
  /** Throws MailFailure. Never called within a transaction: a mail server may take its time. */
  send(letter: Letter): Promise<void>
}

/** Says why in a sentence that holds no address: what servers answer quotes them. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly code: string

  constructor(code: string, response: number | undefined) {
    const reason = reasons[code] ?? 'The mail server did not take the mail'
    super(`${reason}${response ? ` (${response})` : ''}.`)
    this.code = code
  }
}

/** `patience` in milliseconds, for all that a mail takes. */
export function openMailer(settings: MailSettings | null, patience = 10_000): Mailer | null {
  if (!settings) return null
  const { auth, from, ...server } = settings
  const here = ['localhost', '127.0.0.1', '::1'].includes(server.host)
  const transport = createTransport({
    ...server,
    ...(auth ? { auth } : {}),
    // On the way to another machine no password is said in the open; on this one, certificates are rarely in order.
    requireTLS: auth !== null && !here,
    ignoreTLS: here,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(letter) {
      const { to, subject } = letter
      const signal = AbortSignal.timeout(patience)
      try {
        // As an object, an address is never read as a list of several.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, ...writeLetter(letter), signal })
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        throw new MailFailure(code ?? 'EMAIL', responseCode)
      }
    },
  }
}

const late = 'The mail server did not answer in time'
const unreachable = 'The mail server cannot be reached'

const reasons: Record<string, string> = {
  EABORT: late,
  ETIMEDOUT: late,
  ECONNECTION: unreachable,
  EDNS: unreachable,
  ESOCKET: unreachable,
  ETLS: 'No encrypted connection to the mail server could be made',
  EAUTH: 'The mail server refused the user or the password in SMTP_URL',
  EENVELOPE: 'The mail server refused the sender or the receiver',
}
