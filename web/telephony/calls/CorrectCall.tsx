import { t } from '@lingui/core/macro'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallCorrection, type CallOutcome, callOutcomes, type WholeCall } from '#contract/telephony/calls'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { patch } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { formatDuration } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { DirectionField, DurationField, NotesField, TimeOfCallField } from './CallFields.tsx'
import { ChipField } from './ChipField.tsx'
import { lengthProblem } from './call-draft.ts'
import { parseLength } from './call-length.ts'
import { callOutcomeNames } from './call-words.ts'
import { LeadChoice } from './LeadChoice.tsx'
import { callQuery } from './queries.ts'

interface Props {
  call: { id: string; lead_name: string }
  opened: boolean
  onClose(): void
}

/** Corrects a call log. Its lead's timeline shows the change. */
export function CorrectCall({ call, opened, onClose }: Props) {
  const narrow = useNarrow()
  // What the form shows must be what is stored, or the server rejects the change.
  const { data, error, refetch, isFetching } = useQuery({ ...callQuery(call.id), enabled: opened, staleTime: 0 })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t`Correct the call with ${{ name: call.lead_name }}`}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      {data && !isFetching ? (
        <Form stored={data} leadName={call.lead_name} onEnd={onClose} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Modal>
  )
}

interface Values {
  call_type: WholeCall['call_type']
  outcome: CallOutcome
  duration_seconds: string
  called_at: string
  notes: string
  lead_id: string
}

function Form({ stored: loaded, leadName, onEnd }: { stored: WholeCall; leadName: string; onEnd(): void }) {
  // A refresh of the page must not change what `was` in the form.
  const [stored] = useState(loaded)
  const [first] = useState<Values>({
    call_type: stored.call_type,
    outcome: stored.outcome,
    duration_seconds: stored.duration_seconds > 0 ? formatDuration(stored.duration_seconds) : '',
    called_at: wallClock(Date.parse(stored.called_at)),
    notes: stored.notes ?? '',
    lead_id: stored.lead_id,
  })
  const { form, saving, submit, problem } = useSaveForm<Values, unknown>({
    initialValues: first,
    validate: {
      duration_seconds: lengthProblem,
      called_at: (at) => (at === '' ? t`Enter the time of the call` : null),
    },
    save: (values) => patch(`/web/calls/${stored.id}`, correction(stored, first, values)),
    onSaved: () => {
      notify(t`Call corrected`)
      onEnd()
      return refreshLeads()
    },
  })
  const input = (name: keyof Values) => ({ key: form.key(name), ...form.getInputProps(name) })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <ChipField
          legend={t`Outcome`}
          choices={callOutcomes.map((value) => ({ value, label: callOutcomeNames[value] }))}
          {...input('outcome')}
        />
        <DirectionField {...input('call_type')} />
        <DurationField description={t`Minutes, such as 2:30`} {...input('duration_seconds')} />
        <TimeOfCallField {...input('called_at')} />
        <NotesField {...input('notes')} />
        <LeadChoice lead={{ id: stored.lead_id, name: leadName }} {...input('lead_id')} />
        <FormActions problem={problem} onCancel={onEnd} action={t`Save changes`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}

/** The changed fields alone, with what they were. */
function correction(stored: WholeCall, first: Values, values: Values): CallCorrection {
  const { duration_seconds, called_at, notes, ...others } = values
  const wanted = {
    ...others,
    duration_seconds: parseLength(duration_seconds) ?? 0,
    // The field has minutes: seconds stay as long as it is not changed.
    called_at: called_at === first.called_at ? stored.called_at : toInstant(called_at),
    notes: notes.trim() || null,
  }
  const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((field) => wanted[field] !== stored[field])
  const pick = (from: typeof wanted) => Object.fromEntries(fields.map((field) => [field, from[field]]))
  return { ...pick(wanted), was: pick(stored) }
}
