import { t } from '@lingui/core/macro'
import { IconSchool, IconThumbUp } from '@tabler/icons-react'
import type { ReviewMark, reviewFilters } from '#contract/telephony/calls'

export const reviewMarkNames: Record<ReviewMark, string> = { Good: t`Good`, 'To improve': t`To improve` }

export const reviewMarkLooks = {
  Good: { colour: 'green', icon: IconThumbUp },
  'To improve': { colour: 'amber', icon: IconSchool },
} as const

export const reviewFilterNames: Record<(typeof reviewFilters)[number], string> = {
  reviewed: t`Reviewed`,
  good: reviewMarkNames.Good,
  to_improve: reviewMarkNames['To improve'],
  not_reviewed: t`Not reviewed`,
}
