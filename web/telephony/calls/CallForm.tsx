import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { leadStatuses } from '#contract/crm/leads'
import type { CallOutcome } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { callAgainTimes, formatCallAgain } from '../../crm/leads/call-again.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { usePageKeys } from '../../platform/ui/page-keys.ts'
import { formatDuration } from '../../platform/ui/time.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'
import { DirectionField, DurationField, NotesField, TimeOfCallField } from './CallFields.tsx'
import styles from './CallForm.module.css'
import { ChipField } from './ChipField.tsx'
import { type CallDraft, callDrafts, callOf, lengthProblem, ownTime } from './call-draft.ts'
import { type CallInProgress, callSeconds, endCall } from './call-in-progress.ts'
import { parseLength } from './call-length.ts'
import { OutcomeButtons, usualOutcomes } from './OutcomeButtons.tsx'
import { undoCall } from './undo-call.ts'
import { logCall, removeWaitingCall } from './waiting-calls.ts'

interface Props {
  call: CallInProgress
  /** On a page, not in a dialog: there, keys log the outcome. */
  inline?: boolean
  head?: ReactNode
  onLogged?(how: { byKey: boolean }): void
}

/** A finger needs no keyboard yet. */
const isTyping = () => !matchMedia('(pointer: coarse)').matches

/** After a call: the outcome, which saves, and with it status, next call, notes and duration. */
export function CallForm({ call, inline = false, head, onLogged }: Props) {
  const { lead, startedAt, rejectedKey } = call
  const { id: user_id, account } = useMe()
  const reasons = useQuery(accountQuery).data?.lost_reasons ?? []
  const [openedAt] = useState(Date.now)
  const [times] = useState(() => callAgainTimes(account))
  const [typing] = useState(isTyping)
  const form = useRef<HTMLFormElement>(null)
  const chosen = useRef<{ outcome: CallOutcome; byKey: boolean }>({ outcome: 'Completed', byKey: false })
  const length = callSeconds(call)
  const [first] = useState<CallDraft>(() => ({
    call_type: call.call_type,
    status: lead.status ?? '',
    lost_reason: '',
    again: '',
    call_again_at: '',
    duration_seconds: '',
    notes: '',
    called_at: '',
    ...callDrafts.get(lead.id),
  }))
  const [{ call_type, status, again }, setShown] = useState(first)
  // A draft may have a time that is no usual one by now.
  const isUsual = ['', ownTime].includes(first.again) || times.some(({ at }) => at === first.again)
  const shownTimes = isUsual ? times : [{ at: first.again, label: formatCallAgain(first.again) }, ...times]

  const end = () => {
    if (rejectedKey) removeWaitingCall(rejectedKey)
    callDrafts.delete(lead.id)
    endCall(call.key)
  }
  const {
    form: fields,
    saving,
    submit,
    problem,
  } = useSaveForm<CallDraft, Awaited<ReturnType<typeof logCall>>>({
    initialValues: first,
    onValuesChange: (draft) => {
      setShown(draft)
      callDrafts.set(lead.id, draft)
    },
    validate: {
      duration_seconds: (text) =>
        chosen.current.outcome === 'Completed' && parseLength(text) === 0
          ? t`A completed call takes longer than 0:00`
          : lengthProblem(text),
      call_again_at: (time, draft) => (draft.again === ownTime && time === '' ? t`Enter the time` : null),
      called_at: (at) => (at > wallClock(Date.now()) ? t`This time is in the future` : null),
    },
    save: (draft) =>
      logCall({
        user_id,
        lead: { id: lead.id, name: lead.name },
        call: callOf(draft, chosen.current.outcome, call, openedAt),
        key: call.key,
      }),
    onSaved: (logged, draft) => {
      end()
      const done = logged
        ? t`Call with ${{ name: lead.name }} logged`
        : t`Call with ${{ name: lead.name }} saved in this browser until the connection is back`
      notify(done, () => undoCall({ call, draft, logged }))
      onLogged?.(chosen.current)
      return refreshLeads()
    },
  })

  const saveAs = (outcome: CallOutcome, byKey = false) => {
    chosen.current = { outcome, byKey }
    submit()
  }
  usePageKeys(
    inline ? usualOutcomes[call_type].map(([outcome], place) => [`${place + 1}`, () => saveAs(outcome, true)]) : [],
  )
  useEffect(() => {
    if (inline) form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [inline])

  const input = (name: keyof CallDraft) => ({ key: fields.key(name), ...fields.getInputProps(name) })
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        saveAs('Completed')
      }}
      onKeyDown={(event) => {
        // Out of the text, to the keys of the outcomes.
        if (!inline || event.key !== 'Escape' || event.nativeEvent.isComposing) return
        form.current?.querySelector<HTMLElement>('[data-outcome]')?.focus()
      }}
    >
      <Stack gap={16}>
        {head}
        {(startedAt === null || first.call_type === 'Inbound') && <DirectionField {...input('call_type')} />}
        <div className={styles.actions}>
          <OutcomeButtons type={call_type} saving={saving.isPending} autoFocus={!typing} onChoose={saveAs} />
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={styles.cancel!}
            disabled={saving.isPending}
            onClick={end}
          >
            <Trans>Cancel: I did not call</Trans>
          </Button>
        </div>
        <Problem error={problem} />
        <ChipField
          legend={t`Status`}
          choices={leadStatuses.map((value) => ({ value, label: statusNames[value] }))}
          {...input('status')}
        />
        {status === 'Lost' && lead.status !== 'Lost' && reasons.length > 0 && (
          <Select
            label={t`Lost reason`}
            placeholder={t`Optional`}
            data={reasons}
            clearable
            maw={320}
            {...input('lost_reason')}
          />
        )}
        <div>
          <ChipField
            legend={t`Call again`}
            choices={[
              { value: '', label: t`Not planned` },
              ...shownTimes.map(({ at, label }) => ({ value: at, label })),
              { value: ownTime, label: t`At…` },
            ]}
            {...input('again')}
          />
          {again === ownTime && (
            <TextInput
              type="datetime-local"
              label={t`When (IST)`}
              mt={8}
              maw={240}
              min={wallClock(openedAt)}
              {...input('call_again_at')}
            />
          )}
        </div>
        <NotesField autoFocus={typing} {...input('notes')} />
        <DurationField
          description={
            length === null ? t`Optional. Minutes, such as 2:30` : t`Leave empty to use the time since you pressed Call`
          }
          placeholder={length === null ? undefined : formatDuration(length)}
          {...input('duration_seconds')}
        />
        {startedAt === null && (
          <TimeOfCallField description={t`Leave empty if it was just now`} {...input('called_at')} />
        )}
      </Stack>
    </form>
  )
}
