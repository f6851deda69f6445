import { MailFailure, openMailer } from '../../server/platform/mail/mailer.ts'
import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** Signs in to the mail server, and sends nothing. */
export const mail = ({ config }: Installation): Check => ({
  name: 'mail',
  seconds: 15,
  async run() {
    const { mail } = config.get()
    const mailer = await openMailer(mail, 5000)
    if (!mail || !mailer) return fine('SMTP_URL is not set: Admins pass on links themselves.')
    try {
      await mailer.verify()
      return fine(`The mail server ${mail.host} accepts connections${mail.auth ? ' and the password' : ''}.`)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      if (error.isSender) {
        return problem(
          `The mail server ${mail.host} does not accept the sender ${mail.from}.`,
          'Set MAIL_FROM to an email that the mail account may send from, or permit this sender at the provider.',
        )
      }
      return problem(`${error.message.replace(/\.$/, '')}: ${mail.host}:${mail.port}.`, fixes[error.code] ?? checkUrl)
    }
  },
})

const checkUrl = 'Correct host and port in SMTP_URL, and check the firewall: many providers block port 25.'

const fixes: Record<string, string> = {
  EAUTH: 'Correct user and password in SMTP_URL. Percent-encode characters that are no letters or digits.',
  ETLS: 'Use smtps:// if the connection starts with TLS, or let the mail server offer STARTTLS with a valid certificate.',
}
