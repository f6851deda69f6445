import type { NewBulkChange } from '#contract/crm/bulk-changes'

/** Props of a dialog that changes the selected leads. */
export interface DialogProps {
  opened: boolean
  onClose(): void
  /** How many leads are selected. */
  count: number
  onSave(change: NewBulkChange['change']): Promise<void>
}
