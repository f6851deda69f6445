import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemText } from './Problem.tsx'

let last: string | undefined
let lastUndo: (() => void) | undefined

/** Undoes the action of the notification that is shown. */
export const undoLast = () => lastUndo?.()

/** Shows that an action succeeded, with an Undo button if `undo` is given. Replaces the previous notification. */
export function notify(message: string, undo?: () => unknown) {
  if (last) notifications.hide(last)
  const undoOnce = () => {
    lastUndo = undefined
    notifications.hide(id)
    Promise.resolve(undo?.()).catch(notifyProblem)
  }
  const id = notifications.show({
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button size="compact-sm" variant="default" flex="none" onClick={undoOnce}>
          <Trans>Undo</Trans>
        </Button>
      </Group>
    ) : (
      message
    ),
    autoClose: undo ? 10_000 : 4000,
    onClose: () => {
      if (lastUndo === undoOnce) lastUndo = undefined
    },
    withCloseButton: !undo,
    closeButtonProps: { 'aria-label': t`Close` },
  })
  last = id
  lastUndo = undo && undoOnce
}

/** Shows the error of an action that has no form to show it in. */
export function notifyProblem(error: unknown) {
  notifications.show({
    message: problemText(error),
    color: 'red',
    autoClose: 8000,
    closeButtonProps: { 'aria-label': t`Close` },
  })
}
