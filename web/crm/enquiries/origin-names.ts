import { t } from '@lingui/core/macro'
import type { OriginPart } from '#contract/crm/enquiries'

/** UTM values and click ids have the names of their parameters. */
export const originNames: Record<OriginPart, string> = {
  product: t`Product`,
  campaign: t`Campaign`,
  campaign_id: t`Campaign id`,
  ad_set: t`Ad set`,
  ad_set_id: t`Ad set id`,
  ad: t({ message: 'Ad', context: 'advertisement' }),
  ad_id: t`Ad id`,
  form: t({ message: 'Form', context: 'filled in by a customer' }),
  form_id: t`Form id`,
  keyword: t`Keyword`,
  page_url: t`Page`,
  referrer: t`Referrer`,
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  lead_id: t`Sender’s lead id`,
  gclid: 'gclid',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
  fbclid: 'fbclid',
  fbc: 'fbc',
  fbp: 'fbp',
  ctwa_clid: 'ctwa_clid',
  msclkid: 'msclkid',
  li_fat_id: 'li_fat_id',
  ttclid: 'ttclid',
}
