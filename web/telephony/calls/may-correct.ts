import type { CallPreview } from '#contract/calls'
import type { Profile } from '#contract/profile'

/** The server decides by the same rule. */
export const mayCorrect = ({ role, email }: Profile, { called_by }: CallPreview) =>
  role !== 'Agent' || called_by === email
