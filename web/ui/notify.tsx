import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemText } from './Problem.tsx'

let last: string | undefined

/** Shows that an action succeeded, with an Undo button if `undo` is given. Replaces the previous notification. */
export function notify(message: string, undo?: () => unknown) {
  if (last) notifications.hide(last)
  const id = notifications.show({
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            Promise.resolve(undo()).catch(notifyProblem)
          }}
        >
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
    autoClose: undo ? 10_000 : 4000,
    withCloseButton: !undo,
    closeButtonProps: { 'aria-label': 'Close' },
  })
  last = id
}

/** Shows the error of an action that has no form to show it in. */
export function notifyProblem(error: unknown) {
  notifications.show({
    message: problemText(error),
    color: 'red',
    autoClose: 8000,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}
