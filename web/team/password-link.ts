import type { Static } from 'typebox'
import type { PasswordLink } from '#contract/accounts'

/** A link to choose a password by, and whether the service mailed it by itself. */
export type MadeLink = Static<typeof PasswordLink> & { mailed?: boolean; mail_error?: string }
