import { SegmentedControl, Textarea, TextInput, type TextInputProps } from '@mantine/core'

type Input = Pick<TextInputProps, 'description' | 'placeholder'> & { defaultValue?: string }

export const DirectionField = (input: Input) => (
  <SegmentedControl aria-label="Direction" data={['Outbound', 'Inbound']} fullWidth transitionDuration={0} {...input} />
)

/** A phone shows its numeric keyboard, which has a dot. */
export const DurationField = (input: Input) => (
  <TextInput
    label="Duration"
    inputWrapperOrder={['label', 'input', 'error', 'description']}
    inputMode="decimal"
    maw={320}
    autoComplete="off"
    {...input}
  />
)

export const TimeOfCallField = (input: Input) => (
  <TextInput
    type="datetime-local"
    label="Time of the call (IST)"
    inputWrapperOrder={['label', 'input', 'error', 'description']}
    maw={320}
    {...input}
  />
)

export const NotesField = ({ autoFocus = false, ...input }: Input & { autoFocus?: boolean }) => (
  <Textarea
    label="Notes"
    autosize
    minRows={2}
    maxRows={8}
    maxLength={20_000}
    {...(autoFocus ? { 'data-autofocus': true } : {})}
    {...input}
  />
)
