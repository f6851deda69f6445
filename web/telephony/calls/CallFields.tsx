import { t } from '@lingui/core/macro'
import { SegmentedControl, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { callTypeNames } from './call-words.ts'

type Input = Pick<TextInputProps, 'description' | 'placeholder'> & { defaultValue?: string }

const directions = (['Outbound', 'Inbound'] as const).map((value) => ({ value, label: callTypeNames[value] }))

export const DirectionField = (input: Input) => (
  <SegmentedControl aria-label={t`Direction`} data={directions} fullWidth transitionDuration={0} {...input} />
)

/** A phone shows its numeric keyboard, which has a dot. */
export const DurationField = (input: Input) => (
  <TextInput
    label={t`Duration`}
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
    label={t`Time of the call (IST)`}
    inputWrapperOrder={['label', 'input', 'error', 'description']}
    maw={320}
    {...input}
  />
)

export const NotesField = ({ autoFocus = false, ...input }: Input & { autoFocus?: boolean }) => (
  <Textarea
    label={t`Notes`}
    autosize
    minRows={2}
    maxRows={8}
    maxLength={20_000}
    wrapperProps={{ 'data-notes': true }}
    {...(autoFocus ? { 'data-autofocus': true } : {})}
    {...input}
  />
)
