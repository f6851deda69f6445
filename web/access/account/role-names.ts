import { t } from '@lingui/core/macro'
import type { Role } from '#contract/access/account'

export const roleNames: Record<Role, string> = { Admin: t`Admin`, Manager: t`Manager`, Agent: t`Agent` }
