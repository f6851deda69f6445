import { Button, Chip, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CallOutcome } from '#contract/calls'
import { leadStatuses } from '#contract/leads'
import { patch, post } from '../api.ts'
import { callOutcomeLooks } from '../calls/CallBadges.tsx'
import { callAgainTimes } from '../leads/lead/call-again.ts'
import { parseLength } from '../leads/lead/call-length.ts'
import { useLeadKeys } from '../leads/lead/lead-keys.ts'
import { refreshLeads } from '../leads/queries.ts'
import { createDrafts } from '../ui/drafts.ts'
import { notify } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { formatDuration } from '../ui/time.ts'
import { useSaveForm } from '../ui/use-save-form.ts'
import { toInstant, wallClock } from '../ui/wall-clock.ts'
import styles from './CallQueue.module.css'
import { callSeconds, type useCallInProgress } from './call-in-progress.ts'

interface Props {
  call: NonNullable<ReturnType<typeof useCallInProgress>['call']>
  head: ReactNode
  onEnd(): void
  onLogged(): void
}

/** The outcomes of an outbound call: each is a button that saves. */
const outcomes = [
  ['Completed', 'Spoke'],
  ['No Answer', 'No answer'],
  ['Busy', 'Busy'],
  ['Voicemail', 'Voicemail'],
] as const satisfies [CallOutcome, string][]

const drafts = createDrafts<object>('queue')
const ownTime = 'own'

/** After the call: status, when to call again, notes, and the outcome, which saves and leads to the next lead. */
export function QuickLog({ call, head, onEnd, onLogged }: Props) {
  const { lead } = call
  const [times] = useState(callAgainTimes)
  const length = callSeconds(call)
  const [values] = useState(() => ({
    outcome: 'Completed' as CallOutcome,
    status: lead.status,
    again: '',
    own: '',
    duration: '',
    notes: '',
    ...drafts.get(lead.id),
  }))
  const [again, setAgain] = useState(values.again)

  const { form, saving, submit, problem } = useSaveForm({
    initialValues: values,
    onValuesChange: (draft) => {
      setAgain(draft.again)
      drafts.set(lead.id, draft)
    },
    validate: {
      duration: (text, { outcome }) => {
        if (outcome !== 'Completed') return null
        if (text.trim() === '') return length === null ? 'Enter the duration' : null
        return parseLength(text) ? null : 'Enter minutes and seconds, such as 2:30'
      },
      own: (time, draft) => (draft.again === ownTime && time === '' ? 'Enter the time' : null),
    },
    save: async ({ outcome, status, again, own, duration, notes }) => {
      const at = again === ownTime ? toInstant(own) : again
      const change = { ...(status === lead.status ? {} : { status }), ...(at ? { call_again_at: at } : {}) }
      // First, because repeating it changes nothing: a call would be logged twice.
      if (Object.keys(change).length > 0) await patch(`/web/leads/${lead.id}`, change)
      const seconds = duration.trim() === '' ? length : parseLength(duration)
      await post(`/web/leads/${lead.id}/calls`, {
        call_type: 'Outbound',
        outcome,
        duration_seconds: outcome === 'Completed' ? seconds : 0,
        ...(notes.trim() ? { notes: notes.trim() } : {}),
      })
    },
    onSaved: () => {
      drafts.delete(lead.id)
      notify(`Call with ${lead.name} logged`)
      onLogged()
      return refreshLeads()
    },
  })

  const saveAs = (outcome: CallOutcome) => {
    form.setFieldValue('outcome', outcome)
    submit()
  }
  useLeadKeys(Object.fromEntries(outcomes.map(([outcome], place) => [`${place + 1}`, () => saveAs(outcome)])))

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {head}
        <fieldset className={styles.choices}>
          <legend>Status</legend>
          <Chip.Group key={form.key('status')} {...form.getInputProps('status')}>
            <Group gap={8}>
              {leadStatuses.map((status) => (
                <Chip key={status} value={status} size="sm">
                  {status}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </fieldset>
        <fieldset className={styles.choices}>
          <legend>Call again</legend>
          <Chip.Group key={form.key('again')} {...form.getInputProps('again')}>
            <Group gap={8}>
              <Chip value="" size="sm">
                No
              </Chip>
              {times.map(({ label, at }) => (
                <Chip key={at} value={at} size="sm">
                  {label}
                </Chip>
              ))}
              <Chip value={ownTime} size="sm">
                At…
              </Chip>
            </Group>
          </Chip.Group>
          {again === ownTime && (
            <TextInput
              type="datetime-local"
              label="When (IST)"
              mt={8}
              maw={240}
              min={wallClock(Date.now())}
              key={form.key('own')}
              {...form.getInputProps('own')}
            />
          )}
        </fieldset>
        <Textarea
          label="Notes"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={20_000}
          key={form.key('notes')}
          {...form.getInputProps('notes')}
        />
        <TextInput
          label="Duration"
          description={length === null ? 'Minutes, such as 2:30' : 'Empty: since you pressed Call'}
          placeholder={length === null ? undefined : formatDuration(length)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          maw={240}
          autoComplete="off"
          key={form.key('duration')}
          {...form.getInputProps('duration')}
        />
        <Problem error={problem} />
        <fieldset className={`${styles.choices} ${styles.outcomes}`} aria-label="Outcome">
          {outcomes.map(([outcome, label], place) => {
            const Sign = callOutcomeLooks[outcome].icon
            return (
              <Button
                key={outcome}
                type={place === 0 ? 'submit' : 'button'}
                size="md"
                variant={place === 0 ? 'filled' : 'default'}
                leftSection={<Sign size={18} aria-hidden />}
                loading={saving.isPending}
                onClick={(event) => {
                  event.preventDefault()
                  saveAs(outcome)
                }}
              >
                {label}
              </Button>
            )
          })}
        </fieldset>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            The outcome saves the call and shows the next lead.
          </Text>
          <Button variant="subtle" color="gray" disabled={saving.isPending} onClick={onEnd}>
            Not called
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
