import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Found } from '../../platform/ui/ExportMenu.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'

/** Selects all leads that match the filters, on all pages of the list. */
export const SelectAllButton = ({ found, onSelect }: { found: Found; onSelect(): void }) => (
  <Button variant="subtle" size="compact-sm" onClick={onSelect}>
    {found.capped ? t`Select all that match` : t`Select all ${{ count: formatNumber(found.total) }}`}
  </Button>
)
