import { Modal, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type CallOutcome, type CallType, callOutcomes } from '#contract/calls'
import type { LeadInFull } from '#contract/leads'
import { post } from '../../api.ts'
import { CallOutcomeBadge } from '../../calls/CallBadges.tsx'
import { createDrafts } from '../../ui/drafts.ts'
import { FormActions } from '../../ui/FormActions.tsx'
import { notify } from '../../ui/notify.tsx'
import { useNarrow } from '../../ui/screen-size.ts'
import { useSaveForm } from '../../ui/use-save-form.ts'
import { toInstant, wallClock } from '../../ui/wall-clock.ts'
import { refreshLeads } from '../queries.ts'
import { parseLength } from './call-length.ts'
import styles from './Lead.module.css'

interface Props {
  lead: LeadInFull
  opened: boolean
  onClose(): void
}

interface CallDraft {
  call_type: CallType
  outcome: CallOutcome
  duration_seconds: string
  called_at: string
  notes: string
}

/** Unsaved drafts by lead. */
const drafts = createDrafts<Partial<CallDraft>>('call')

export function LogCall({ lead, opened, onClose }: Props) {
  const narrow = useNarrow()
  const end = () => {
    drafts.delete(lead.id)
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Log a call with ${lead.name}`}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      <CallForm lead={lead} onEnd={end} />
    </Modal>
  )
}

function CallForm({ lead, onEnd }: { lead: LeadInFull; onEnd(): void }) {
  const [now] = useState(() => wallClock(Date.now()))
  const { form, saving, submit, problem } = useSaveForm<CallDraft, unknown>({
    initialValues: {
      call_type: 'Outbound',
      outcome: 'Completed',
      duration_seconds: '',
      called_at: now,
      notes: '',
      ...drafts.get(lead.id),
    },
    onValuesChange: ({ called_at, ...values }) => {
      drafts.set(lead.id, { ...values, ...(called_at === now ? {} : { called_at }) })
    },
    validate: {
      duration_seconds: (text, { outcome }) => {
        if (text.trim() === '') return outcome === 'Completed' ? 'Enter the duration' : null
        const seconds = parseLength(text)
        if (seconds === 0 && outcome === 'Completed') return 'A completed call takes longer than 0:00'
        return seconds === null ? 'Enter minutes and seconds, such as 2:30' : null
      },
      called_at: (at) => {
        if (at === '') return 'Enter the time of the call'
        return at > wallClock(Date.now()) ? 'This time is in the future' : null
      },
    },
    save: ({ duration_seconds, called_at, notes, ...call }: CallDraft) =>
      post(`/web/leads/${lead.id}/calls`, {
        ...call,
        duration_seconds: parseLength(duration_seconds) ?? 0,
        // The current minute means now: the lead may not have existed at its start.
        ...(called_at === wallClock(Date.now()) ? {} : { called_at: toInstant(called_at) }),
        ...(notes.trim() ? { notes: notes.trim() } : {}),
      }),
    onSaved: () => {
      notify('Call logged')
      onEnd()
      return refreshLeads()
    },
  })

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <SegmentedControl
          aria-label="Type"
          data={[
            { value: 'Outbound', label: 'Outbound' },
            { value: 'Inbound', label: 'Inbound' },
          ]}
          fullWidth
          transitionDuration={0}
          key={form.key('call_type')}
          {...form.getInputProps('call_type')}
        />
        <div className={styles.pair}>
          <Select
            label="Outcome"
            data={[...callOutcomes]}
            allowDeselect={false}
            renderOption={({ option }) => <CallOutcomeBadge outcome={option.value as CallOutcome} />}
            key={form.key('outcome')}
            {...form.getInputProps('outcome')}
          />
          <TextInput
            label="Duration"
            description="Minutes, such as 2:30"
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            data-autofocus
            autoComplete="off"
            key={form.key('duration_seconds')}
            {...form.getInputProps('duration_seconds')}
          />
        </div>
        <TextInput
          type="datetime-local"
          label="When (IST)"
          key={form.key('called_at')}
          {...form.getInputProps('called_at')}
        />
        <Textarea
          label="Notes"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          key={form.key('notes')}
          {...form.getInputProps('notes')}
        />
        <FormActions problem={problem} onCancel={onEnd} action="Log call" busy={saving.isPending} />
      </Stack>
    </form>
  )
}
