import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { CallNote, RingingCall } from '#contract/telephony/ringing'
import { put } from '../../platform/api/api.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { NotesField } from '../calls/CallFields.tsx'
import formStyles from '../calls/CallForm.module.css'
import { ChoiceRow } from '../calls/ChoiceRow.tsx'
import { callDrafts, notesOf } from '../calls/call-draft.ts'
import { resultLooks } from '../calls/questions.ts'
import { nameOrNumber } from './call-texts.ts'

/** The results that say nothing of the lead, which the user does not see. */
const results = ['spoke', 'wrong_number', 'dropped'] as const

/** What the user who answered notes of a call whose lead they do not see. */
export function NoteForm({ call, onSaved }: { call: RingingCall; onSaved(): void }) {
  const { id, phone } = call
  const result = useRef<(typeof results)[number]>('spoke')
  const [first] = useState(() => ({ notes: callDrafts.get(id)?.notes ?? '' }))
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: first,
    onValuesChange: (next) => callDrafts.set(id, next),
    save: (draft) => {
      const note: CallNote = { notes: notesOf(draft, { result: result.current, language: '' }, phone ?? '') || null }
      return put(`/web/ringing/${id}/note`, note)
    },
    onSaved: () => {
      callDrafts.delete(id)
      notify(t`Call with ${{ name: nameOrNumber(call) }} logged`)
      onSaved()
    },
  })
  const choices = results.map((value) => ({
    value,
    ...resultLooks[value],
    act: () => {
      result.current = value
      submit()
    },
  }))
  return (
    <form className={formStyles.form} data-place="card" noValidate onSubmit={submit}>
      <section className={formStyles.actions}>
        <ChoiceRow
          legend={t`Outcome: saves the call`}
          choices={choices}
          areAnswers={false}
          saving={saving.isPending}
          autoFocus={false}
        />
        <Problem error={problem} />
      </section>
      <NotesField key={form.key('notes')} {...form.getInputProps('notes')} />
    </form>
  )
}
