import { formatNumber } from '../../platform/ui/numbers.ts'
import { dateLocale } from '../../platform/ui/time.ts'

const listed = new Intl.ListFormat(dateLocale)

/** "Bela", "Bela (116) and Chand (115)"; empty for no users. */
export function sharesInWords(
  shares: { user_id: string; leads: number }[],
  userName: (id: string) => string | undefined,
): string {
  const isShared = shares.length > 1
  return listed.format(
    shares.map(({ user_id, leads }) => `${userName(user_id) ?? ''}${isShared ? ` (${formatNumber(leads)})` : ''}`),
  )
}
