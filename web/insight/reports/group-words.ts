import { t } from '@lingui/core/macro'
import type { OriginGroup } from '#contract/insight/reports'

export const groupNames: Record<OriginGroup, string> = {
  source: t`Source`,
  campaign: t`Campaign`,
  ad: t`Ad`,
  form: t`Form`,
  product: t`Product`,
}

export const tableNames: Record<OriginGroup, string> = {
  source: t`Figures by source`,
  campaign: t`Figures by campaign`,
  ad: t`Figures by ad`,
  form: t`Figures by form`,
  product: t`Figures by product`,
}

export const groupChoices: Record<OriginGroup, string> = {
  source: t`By source`,
  campaign: t`By campaign`,
  ad: t`By ad`,
  form: t`By form`,
  product: t`By product`,
}
