import { type Static, Type } from 'typebox'
import { Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'
import { Language } from '../../platform/languages/contract.ts'
import { Role } from '../account/contract.ts'
import { EmailChange } from '../sign-in/contract.ts'

export const Profile = Type.Object({
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: Role(),
  team: Nullable(Type.String()),
  /** Null: none was chosen. */
  language: Nullable(Language),
  /** `country`: of phone numbers without a country code. Working hours as of the account. */
  account: Type.Object({
    id: Uuid(),
    name: Type.String(),
    country: Type.String(),
    work_days: Type.Array(Type.Integer()),
    work_from: Type.Integer(),
    work_until: Type.Integer(),
  }),
  /** The first steps of the account, which only Admins see. `opens`: they were not opened yet, and the account has no leads. */
  first_start: Type.Enum(['opens', 'started', 'ended']),
  /** Whether they sign in with a two-factor code. */
  two_factor: Type.Boolean(),
  /** False if they sign in by single sign-on only. */
  has_password: Type.Boolean(),
  may_delete: Type.Boolean(),
  may_export: Type.Boolean(),
  /** The IP address of this request, for an IP whitelist. */
  address: Type.String(),
})
export type Profile = Static<typeof Profile>

/** `code` is missing at first: with a mail server, it is sent to the new email, and a second request has it. */
export const OwnEmailChange = Type.Object({
  ...EmailChange.properties,
  code: Type.Optional(Line(20)),
})

/** The email until it is changed, and then the new one. */
export const OwnEmail = Type.Object({ email: Type.String(), code_sent: Type.Boolean() })
export type OwnEmail = Static<typeof OwnEmail>

export const ProfileChange = Type.Object({ name: Name() })
export const LanguageChange = Type.Object({ language: Language })
