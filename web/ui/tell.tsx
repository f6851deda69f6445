import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { sentenceOf } from './Problem.tsx'

let last: string | undefined

/** Says that something was done, and offers to undo it where that can be; in the place of what was said before. */
export function tell(message: string, undo?: () => unknown) {
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
            void undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
    autoClose: undo ? 8000 : 4000,
    withCloseButton: !undo,
    closeButtonProps: { 'aria-label': 'Close' },
  })
  last = id
}

/** For a lone action that has no form to tell it in. */
export function tellProblem(error: unknown) {
  notifications.show({
    message: sentenceOf(error),
    color: 'red',
    autoClose: 8000,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}
