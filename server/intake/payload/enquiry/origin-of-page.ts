import type { Origin } from '../../../crm/enquiries/contract.ts'
import { partOfName } from './word-part.ts'

const maxParameters = 50

/** Returns the UTM values and the click ids in the URL of a page. */
export function originOfPage(url: string): Origin {
  const query = url.split('?')[1]?.split('#')[0]
  if (!query) return {}
  const origin: Origin = {}
  for (const [name, value] of [...new URLSearchParams(query)].slice(0, maxParameters)) {
    const { part } = partOfName(name)
    if (part !== undefined && isTracked(part) && value !== '') origin[part] ??= value
  }
  return origin
}

const isTracked = (part: string): part is keyof Origin => /^utm_|clk?id$|^(gbraid|wbraid|li_fat_id)$/.test(part)
