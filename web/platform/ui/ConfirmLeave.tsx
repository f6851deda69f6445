import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Props {
  when: boolean
  /** "the mapping" */
  what: string
  /** The tab with the changes: navigation within it is free. */
  tab?: string
}

/** Asks before leaving a page with unsaved changes. */
export function ConfirmLeave({ when, what, tab }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      when && (current.pathname !== next.pathname || (next.search as { tab?: string }).tab !== tab),
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t`Leave without saving?`}
      action={t`Discard changes`}
      onConfirm={async () => proceed?.()}
    >
      <Trans>The changes to {what} are not saved. If you leave, they are lost.</Trans>
    </ConfirmDialog>
  )
}
