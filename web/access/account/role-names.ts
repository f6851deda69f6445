import { t } from '@lingui/core/macro'
import type { Role } from '#contract/account'

export const roleNames: Record<Role, string> = { Admin: t`Admin`, Manager: t`Manager`, Agent: t`Agent` }
