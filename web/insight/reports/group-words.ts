import { t } from '@lingui/core/macro'
import type { OriginGroup } from '#contract/insight/reports'
import { originNames } from '../../crm/enquiries/origin-names.ts'

export const groupNames: Record<OriginGroup, string> = {
  source: t`Source`,
  campaign: originNames.campaign,
  ad: originNames.ad,
  form: originNames.form,
  product: originNames.product,
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
