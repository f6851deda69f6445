import { Readable } from 'node:stream'
import { msg } from '@lingui/core/runtime-macro'
import { type Text, translate } from '../languages/translate.ts'
import { type Email, renderEmail } from './email.ts'
import type { MailSettings } from './mail-settings.ts'

export interface Mailer {
  /** Throws MailFailure. Never call it within a transaction: a mail server may be slow. */
  send(email: Email): Promise<void>
  /** Connects, signs in, and offers the sender, without an email. Throws MailFailure; its `isSender` says that the sender was rejected. */
  verify(): Promise<void>
}

/** Its message contains no email address. The answers of mail servers quote them, so they are not passed on. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  /** The message, for the user's language. */
  readonly text: Text
  readonly code: string
  /** Whether the mail server rejected the email permanently: another attempt would fail too. */
  readonly isFinal: boolean
  /** Whether the mail server rejected MAIL_FROM. */
  readonly isSender: boolean

  constructor(code: string, response: number | undefined, command?: string) {
    const reason = reasons[code] ?? msg`The mail server did not accept the email`
    const text = response ? msg`${{ reason }} (${{ response }}).` : msg`${{ reason }}.`
    super(translate(text))
    this.text = text
    this.code = code
    this.isSender = command === 'MAIL FROM'
    this.isFinal = response !== undefined && response >= 500
  }
}

/** `timeout` is in milliseconds and covers connecting and sending. */
export async function openMailer(settings: MailSettings | null, timeout = 10_000): Promise<Mailer | null> {
  if (!settings) return null
  const { createTransport } = await import('nodemailer')
  const { auth, from, ...server } = settings
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(server.host)
  const transport = createTransport({
    ...server,
    ...(auth ? { auth } : {}),
    // A password leaves this machine only over TLS. A local mail server rarely has a valid certificate.
    requireTLS: auth !== null && !isLocal,
    ignoreTLS: isLocal,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send({ to, subject, ...email }) {
      const signal = AbortSignal.timeout(timeout)
      // As an object, it is never parsed as a list of email addresses.
      const address = { name: '', address: to }
      return withReason(transport.sendMail({ from, to: address, subject, ...renderEmail(email), signal }))
    },
    async verify() {
      await withReason(transport.verify())
      // The connection ends before a message: the server has then accepted none.
      const raw = new Readable({ read: () => raw.destroy(new Error(ended)) })
      const offered = transport.sendMail({ envelope: { from, to: from }, raw })
      await withReason(offered).catch((error: MailFailure) => {
        if (error.isSender) throw error
      })
    },
  }
}

const ended = 'no message follows'

async function withReason(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
    throw new MailFailure(code ?? 'EMAIL', responseCode, command)
  }
}

const timedOut = msg`The mail server did not answer in time`
const unreachable = msg`The mail server cannot be reached`

const reasons: Record<string, Text> = {
  EABORT: timedOut,
  ETIMEDOUT: timedOut,
  ECONNECTION: unreachable,
  EDNS: unreachable,
  ESOCKET: unreachable,
  ETLS: msg`No encrypted connection to the mail server could be made`,
  EAUTH: msg`The mail server rejected the user or the password in SMTP_URL`,
  EENVELOPE: msg`The mail server rejected the sender or the recipient`,
}
