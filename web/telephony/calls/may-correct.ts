import type { Profile } from '#contract/access/profile'
import type { CallPreview } from '#contract/telephony/calls'

/** The server decides by the same rule. */
export const mayCorrect = ({ role, email }: Profile, { called_by }: CallPreview) =>
  role !== 'Agent' || called_by === email

/** So does it by this one. */
export const mayReview = ({ role }: Profile) => role !== 'Agent'
