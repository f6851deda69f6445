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
  const options = {
    ...server,
    // A password leaves this machine only over TLS. A local mail server rarely has a valid certificate.
    requireTLS: auth !== null && !isLocal,
    ignoreTLS: isLocal,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  }
  const transport = createTransport({
    ...options,
    ...(auth ? { auth } : {}),
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
      await withReason(offerSender({ options, auth, from })).catch((error: MailFailure) => {
        if (error.isSender) throw error
      })
    },
  }
}

interface Offer {
  options: object
  auth: MailSettings['auth']
  from: string
}

/** Offers an email to the sender itself. Throws what the server answers to that; never sends the email. */
async function offerSender({ options, auth, from }: Offer): Promise<void> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection(options)
  // It may be `Name <email>`.
  const email = /<(.*)>$/.exec(from.trim())?.[1] ?? from
  try {
    await new Promise<void>((resolve, reject) => {
      const next = (then: () => void) => (error?: Error | null) => (error ? reject(error) : then())
      // It is read when the server has accepted the sender: the connection ends before the message does.
      const message = new Readable({ read: () => resolve() })
      const offer = () => connection.send({ from: email, to: [email] }, message, next(resolve))
      connection.once('error', reject)
      connection.connect(next(() => (auth ? connection.login(auth, next(offer)) : offer())))
    })
  } finally {
    connection.close()
  }
}

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
