import { t } from '@lingui/core/macro'
import type { SharedContact } from '#contract/intake/lead-import'
import { formatPhone, usePhonePlans } from '../../crm/contacts/phone.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { RowList } from './RowList.tsx'

/** Phones and emails of rows with different names: the number of an office, or one that a spreadsheet rounded. */
export function SharedContacts({ shared }: { shared: SharedContact[] }) {
  usePhonePlans()
  const rows = shared.map(({ contact, rows, lines }) => {
    const [line = 0, ...others] = lines
    const which = `${others.map(formatNumber).join(', ')}${rows > lines.length ? ', …' : ''}`
    const shown = contact.includes('@') ? contact : formatPhone(contact)
    return {
      line,
      says: t`${{ rows: formatNumber(rows) }} rows with different names share ${{ contact: shown }}. They become one lead. Other lines: ${{ lines: which }}`,
    }
  })
  return <RowList title={t`Shared contacts`} rows={rows} total={rows.length} />
}
