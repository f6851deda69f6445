import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isClosed, leadStatuses, maxNoNextStepLength } from '#contract/crm/leads'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { useBackCloses } from '../../platform/ui/back-closes.ts'
import { bottomBar } from '../../platform/ui/keep-room.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { isText, usePageKeys } from '../../platform/ui/page-keys.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { formatDuration } from '../../platform/ui/time.ts'
import { DirectionField, DurationField, NotesField, TimeOfCallField } from './CallFields.tsx'
import styles from './CallForm.module.css'
import { ChipField } from './ChipField.tsx'
import { ChoiceRow } from './ChoiceRow.tsx'
import type { CallDraft } from './call-draft.ts'
import { type CallInProgress, callSeconds } from './call-in-progress.ts'
import { cancelCall } from './close-call.ts'
import { NextStepField } from './NextStepField.tsx'
import type { Question } from './questions.ts'
import { statusAfter } from './results.ts'
import { useCallForm } from './use-call-form.ts'

interface Props {
  call: CallInProgress
  /** `page`: keys of the page choose, and the outcomes are above the navigation of a phone. `card`: the telephone system knows direction and duration. */
  place: 'page' | 'dialog' | 'card'
  /** Asks for the name of an unknown caller. */
  withName?: boolean
  head?: ReactNode
  onLogged?(how: { byKey: boolean }): void
}

/** A finger needs no keyboard yet. */
const isTyping = () => !matchMedia('(pointer: coarse)').matches
const keys = 4
/** Their answers are those of the field for the next step. */
const ofNextStep: Question[] = ['next_step', 'reason', 'own_reason', 'lost_reason']

/** After a call: the outcome, which saves, the next step, notes and status. */
export function CallForm({ call, place, withName = false, head, onLogged }: Props) {
  const { form, draft, known, question, legend, choices, ...asked } = useCallForm(call, {
    isAnswered: place === 'card',
    onLogged,
  })
  const { startedAt } = call
  const [typing] = useState(isTyping)
  const narrow = useNarrow()
  const element = useRef<HTMLFormElement>(null)
  const length = callSeconds(call)
  const status = draft.status || known.status || ''
  const onPage = place === 'page'
  const focus = (selector: string) =>
    element.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })

  const keyed = choices.slice(0, keys)
  usePageKeys(onPage ? keyed.map(({ act }, at) => [`${at + 1}`, () => act(true)]) : [])
  const onKeyDown = (event: KeyboardEvent) => {
    const take = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Escape') {
      const chosen =
        onPage || isText(event.target) || event.ctrlKey || event.metaKey ? undefined : keyed[+event.key - 1]
      if (!chosen) return
      take()
      chosen.act(true)
    } else if (question !== 'result') {
      take()
      asked.ask('result')
    } else if (onPage || isText(event.target)) {
      // Out of the text, to the keys of the outcomes, and not out of the form.
      if (!onPage) take()
      focus('[data-choice]')
    }
  }
  useEffect(() => {
    if (!onPage) return
    element.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
    element.current?.querySelector('[data-notes]')?.scrollIntoView({ block: 'nearest' })
  }, [onPage])
  useBackCloses(question !== 'result', () => asked.ask('result'))
  const wasAsked = useRef(question)
  useEffect(() => {
    if (wasAsked.current !== question) element.current?.querySelector<HTMLElement>('[data-answer]')?.focus()
    wasAsked.current = question
  }, [question])

  const input = (name: keyof CallDraft) => ({ key: form.key(name), ...form.getInputProps(name) })
  const movesTo = statusAfter({ result: 'spoke', status: draft.status }, known)
  return (
    <form
      ref={element}
      className={styles.form}
      data-place={place}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        asked.submit()
      }}
      onKeyDown={onKeyDown}
    >
      {head}
      {place !== 'card' && (startedAt === null || call.call_type === 'Inbound') && (
        <DirectionField {...input('call_type')} />
      )}
      <section className={styles.actions} ref={narrow && place !== 'card' ? bottomBar : null}>
        {question === 'own_reason' ? (
          <OwnReason
            legend={legend}
            saving={asked.saving}
            onSave={(reason) => asked.answer({ draft: { no_next_step: reason } })}
          />
        ) : (
          <ChoiceRow
            key={question}
            legend={legend}
            choices={choices}
            areAnswers={question !== 'result'}
            saving={asked.saving}
            autoFocus={!typing}
          />
        )}
        {question !== 'result' && (
          <Button variant="subtle" color="gray" h={44} mt={4} onClick={() => asked.ask('result')}>
            <Trans>Back to outcomes</Trans>
          </Button>
        )}
        <Problem error={asked.problem} />
      </section>
      {withName && <TextInput label={t`Name`} maxLength={200} autoComplete="off" maw={320} {...input('name')} />}
      {!ofNextStep.includes(question) && (
        <NextStepField
          call_again_at={draft.call_again_at}
          no_next_step={draft.no_next_step}
          planned={known.call_again_at}
          retry={place === 'card' ? undefined : asked.retry}
          error={input('call_again_at').error}
          isClosing={isClosed(draft.status || known.status)}
          size={place === 'card' ? 'xs' : 'sm'}
          now={asked.openedAt}
          onChange={(step) => form.setValues(step)}
        />
      )}
      <NotesField autoFocus={typing} {...input('notes')} />
      <div>
        <ChipField
          legend={t`Status`}
          size={place === 'card' ? 'xs' : 'sm'}
          value={status}
          onChange={(value) => form.setFieldValue('status', value as CallDraft['status'])}
          choices={leadStatuses.map((value) => ({ value, label: statusNames[value] }))}
        />
        {movesTo !== undefined && movesTo !== status && (
          <Text size="sm" c="dimmed" mt={4}>
            {t`Spoke changes it to ${{ status: statusNames[movesTo] }}.`}
          </Text>
        )}
      </div>
      {draft.status === 'Lost' && known.status !== 'Lost' && asked.lost_reasons.length > 0 && (
        <Select
          label={t`Lost reason`}
          placeholder={t`Optional`}
          data={asked.lost_reasons}
          clearable={draft.lost_reason !== ''}
          maw={320}
          {...input('lost_reason')}
        />
      )}
      {place !== 'card' && (
        <>
          <DurationField
            description={
              length === null
                ? t`Optional. Minutes, such as 2:30`
                : t`Leave empty to use the time since you pressed Call`
            }
            placeholder={length === null ? undefined : formatDuration(length)}
            {...input('duration_seconds')}
          />
          {startedAt === null && (
            <TimeOfCallField description={t`Leave empty if it was just now`} {...input('called_at')} />
          )}
          <Button
            variant="subtle"
            color="gray"
            className={styles.cancel!}
            disabled={asked.saving}
            onClick={() => cancelCall(call)}
          >
            <Trans>Cancel: I did not call</Trans>
          </Button>
        </>
      )}
    </form>
  )
}

function OwnReason({ legend, saving, onSave }: { legend: string; saving: boolean; onSave(reason: string): void }) {
  const [reason, setReason] = useState('')
  const save = () => reason.trim() && onSave(reason.trim())
  return (
    <Group gap={8} align="end" wrap="nowrap">
      <TextInput
        data-answer
        label={legend}
        flex={1}
        maxLength={maxNoNextStepLength}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          save()
        }}
      />
      <Button h={44} loading={saving} disabled={!reason.trim()} onClick={save}>
        <Trans>Save call</Trans>
      </Button>
    </Group>
  )
}
