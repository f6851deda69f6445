import { t } from '@lingui/core/macro'
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createPortal } from 'react-dom'
import { usePhonePlans } from '../../crm/contacts/phone.ts'
import { useOpenDialog } from '../../platform/ui/use-open-dialog.ts'
import { callTitle, nameOrNumber } from './call-texts.ts'
import { ringingQuery } from './queries.ts'
import { useDismissed } from './use-dismissed.ts'

const RingingCards = lazy(() => import('./RingingCards.tsx'))

/** Calls that ring for the user, over every page. */
export function RingingCalls() {
  usePhonePlans()
  const { data = [] } = useQuery(ringingQuery)
  const { isDismissed, dismiss } = useDismissed()
  const shown = data.filter(({ id }) => !isDismissed(id))
  const dialog = useOpenDialog()
  const section = (
    <section aria-label={t`Phone calls`}>
      <VisuallyHidden role="status">
        {shown.map((call) => `${callTitle(call)}: ${nameOrNumber(call)}`).join('. ')}
      </VisuallyHidden>
      <Suspense>{shown.length > 0 && <RingingCards calls={shown} onDismiss={dismiss} />}</Suspense>
    </section>
  )
  return dialog ? createPortal(section, dialog) : section
}
