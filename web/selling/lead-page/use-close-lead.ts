import { useWindowEvent } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useGoBack } from '../../crm/leads/close-back.ts'
import { isOverlayOpen } from '../../platform/ui/page-keys.ts'

/** Esc closes the open lead, unless a field or a dialog handles it. */
export function useCloseLead(leadId: string) {
  const navigate = useNavigate()
  const goBack = useGoBack()
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || isOverlayOpen()) return
    if (
      (event.target as Element).closest(
        'input, textarea, select, [contenteditable="true"], [aria-expanded="true"], [data-own-escape]',
      )
    )
      return
    if (goBack()) return
    void navigate({ to: '/leads', search: true, resetScroll: false }).then(() => {
      document.querySelector<HTMLElement>(`[data-row="${leadId}"] a`)?.focus({ preventScroll: true })
    })
  }
  // Runs before a dialog's handler, which closes the dialog.
  useWindowEvent('keydown', close, { capture: true })
}
