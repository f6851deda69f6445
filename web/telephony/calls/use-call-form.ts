import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isClosed } from '#contract/crm/leads'
import type { LoggedCall, NewCallOfLead } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { formatPhone } from '../../crm/contacts/phone.ts'
import { formatCallAgain, pastTime } from '../../crm/leads/call-again.ts'
import { callAgainDays, onDay } from '../../crm/leads/call-again-days.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { choicesQuery, refreshLeads } from '../../crm/leads/queries.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'
import { type CallDraft, callDrafts, callOf, chosenOf, emptyDraft, lengthProblem } from './call-draft.ts'
import { type CallInProgress, startCall } from './call-in-progress.ts'
import { parseLength } from './call-length.ts'
import { closeCall } from './close-call.ts'
import { type Answer, notInterestedReason, type Question, questionOf, withAnswer } from './questions.ts'
import { type Chosen, missing, type Result } from './results.ts'
import { undoCall } from './undo-call.ts'
import { type CalledLead, readCalledLead, retryQuery, useCalledLead } from './use-called-lead.ts'
import { logCall, notifyOfReassigned } from './waiting-calls.ts'

/** What was pressed until the call is saved. */
interface Pressed extends Answer {
  result: Result
  byKey: boolean
}

interface ToSave {
  chosen: Chosen
  pressed: Pressed
  called: CalledLead
  sent?: NewCallOfLead
}

/** In milliseconds: a colleague who gets a lead calls it so soon. */
const soonAfter = 5 * 60_000

/** The state of the form of a call: its draft, the question that is asked, and saving by the last answer. */
export function useCallForm(
  call: CallInProgress,
  { isAnswered, onLogged }: { isAnswered: boolean; onLogged: ((how: { byKey: boolean }) => void) | undefined },
) {
  const { lead } = call
  const { id: user_id, email, account, role } = useMe()
  const lost_reasons = useQuery(accountQuery).data?.lost_reasons ?? []
  const known = useCalledLead(lead)
  const [openedAt] = useState(Date.now)
  const { data: retry } = useQuery({ ...retryQuery(lead.id), enabled: known.call_again_at === null })
  const [question, setQuestion] = useState<Question>('result')
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const { data: choices } = useQuery({ ...choicesQuery, enabled: question === 'colleague' })
  const toSave = useRef<ToSave>(null)
  const isPressing = useRef(false)
  const [first] = useState<CallDraft>(() => ({ ...emptyDraft, call_type: call.call_type, ...callDrafts.get(lead.id) }))
  const [draft, setDraft] = useState(first)

  const { form, saving, submit, problem } = useSaveForm<CallDraft, Awaited<ReturnType<typeof logCall>>>({
    initialValues: first,
    onValuesChange: (next) => {
      setDraft(next)
      callDrafts.set(lead.id, next)
    },
    validate: {
      call_again_at: pastTime,
      duration_seconds: (text) =>
        toSave.current?.chosen.result === 'spoke' && parseLength(text) === 0
          ? t`A call in which you spoke takes longer than 0:00`
          : lengthProblem(text),
      called_at: (at) => (at > wallClock(Date.now()) ? t`This time is in the future` : null),
    },
    save: (values) => {
      const { chosen, pressed, called } = toSave.current!
      const change = { ...pressed.change, ...named(values.name) }
      const sent = callOf(values, chosen, { call, lead: called, openedAt, now: Date.now() })
      toSave.current = { chosen, pressed, called, sent }
      return logCall({
        user_id,
        lead: { id: lead.id, name: lead.name },
        call: sent,
        ...(Object.keys(change).length > 0 ? { change } : {}),
        key: call.key,
      })
    },
    onSaved: (logged, values) => {
      const { chosen, pressed, sent } = toSave.current!
      closeCall(call)
      const { name = lead.name } = named(values.name)
      const change = { ...pressed.undo, ...(name === lead.name ? {} : { name: lead.name }) }
      const done = logged
        ? loggedText(name, { chosen, sent, logged })
        : t`Call with ${name} saved in this browser until the connection is back`
      if (logged?.is_reassigned) void notifyOfReassigned([{ lead: { ...lead, name }, logged }])
      else notify(done, () => undoCall({ call, draft: values, logged, change }))
      onLogged?.({ byKey: pressed.byKey })
      if (chosen.number && chosen.number !== 'none') startCall({ ...lead, phone: chosen.number })
      return refreshLeads()
    },
  })

  const ask = (next: Question) => {
    setQuestion(next)
    if (next === 'result') setPressed(null)
  }
  /** A second tap, before the first one has asked or saved, is none. */
  const press = async (next: Pressed) => {
    if (isPressing.current) return
    isPressing.current = true
    await take(next).finally(() => {
      isPressing.current = false
    })
  }
  const take = async (next: Pressed) => {
    setPressed(next)
    callDrafts.set(lead.id, form.getValues())
    if (next.draft) form.setValues(next.draft)
    const { result, language = '', number = '' } = next
    const { lost_reason = form.getValues().lost_reason || notInterestedReason(lost_reasons) } = next
    // Its other numbers and its owner.
    const called = result === 'wrong_number' || result === 'other_language' ? await readCalledLead(lead) : known
    const chosen = chosenOf(form.getValues(), {
      result,
      language,
      number,
      ...(result === 'not_interested' && { lost_reason }),
    })
    const open = missing(chosen, called, Date.now())
    const mayGive = result === 'other_language' && language !== '' && role !== 'Agent'
    if (mayGive && next.colleague === undefined) return ask('colleague')
    if (open) return ask(open)
    toSave.current = { chosen, pressed: next, called }
    submit()
  }

  const today = wallClock(openedAt).slice(0, 10)
  const context = {
    type: draft.call_type,
    isAnswered,
    days: callAgainDays(account, openedAt)
      .filter(({ day }) => day !== today)
      .map(({ day, label }) => {
        const at = onDay(account, '', day, openedAt)
        return { label: `${label}, ${at.slice(11)}`, at }
      }),
    lost_reasons,
    phone: known.phone,
    otherPhones: known.other_phones,
    colleagues: (choices?.people ?? []).filter((one) => one.active && one.email !== email),
    owner: known.owner,
    soon: wallClock(Date.now() + soonAfter),
  }
  const acts = {
    choose: (result: Result, byKey: boolean) => void press({ result, byKey }),
    answer: (answer: Answer, byKey: boolean) =>
      pressed && void press({ ...pressed, ...withAnswer(pressed, answer), byKey }),
    ask,
  }
  return {
    form,
    draft,
    known,
    lost_reasons,
    openedAt,
    retry,
    problem,
    saving: saving.isPending,
    question,
    ...questionOf(question, context, acts),
    ask,
    /** Chooses the first result. */
    submit: () => acts.choose('spoke', false),
    /** Answers in words of the user. */
    answer: (answer: Answer) => acts.answer(answer, false),
  }
}

/** Says that a call is logged, and what follows for its lead. */
function loggedText(
  name: string,
  { chosen, sent, logged }: Pick<ToSave, 'chosen' | 'sent'> & { logged: LoggedCall },
): string {
  const next = nextText(chosen, { ...sent, ...logged })
  const message = next ? t`Call with ${name} logged. ${next}` : t`Call with ${name} logged`
  const ended = isClosed(sent?.status) && logged.previous.call_again_at
  return ended ? t`${message}. Call of ${{ time: formatCallAgain(ended) }} ended` : message
}

function nextText(
  { number }: Chosen,
  { status, call_again_at, no_next_step, retry_at }: Partial<NewCallOfLead & LoggedCall>,
): string | undefined {
  if (isClosed(status)) return t`Status: ${{ status: statusNames[status!] }}`
  if (call_again_at) return t`Call again: ${{ time: formatCallAgain(call_again_at) }}`
  if (no_next_step) return t`No next step: ${{ reason: no_next_step }}`
  if (number) return t`Next number: ${{ number: formatPhone(number) }}`
  return retry_at && t`Retry: ${{ time: formatCallAgain(retry_at) }}`
}

const named = (typed: string) => (typed.trim() ? { name: typed.trim() } : {})
