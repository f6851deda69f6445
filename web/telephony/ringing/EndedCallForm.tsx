import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type LeadStatus, leadStatuses } from '#contract/crm/leads'
import { type CallOutcome, callOutcomes, type WholeCall } from '#contract/telephony/calls'
import type { RingingLead } from '#contract/telephony/ringing'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { patch } from '../../platform/api/api.ts'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { NotesField } from '../calls/CallFields.tsx'
import styles from '../calls/CallForm.module.css'
import { ChipField } from '../calls/ChipField.tsx'
import { callOutcomeNames } from '../calls/call-words.ts'
import { callQuery } from '../calls/queries.ts'

interface Values {
  outcome: CallOutcome
  notes: string
}

/** Unsaved values by call. */
const drafts = createDrafts<Values>('ended-call')

interface Props {
  callLogId: string
  lead: RingingLead
  onSaved(): void
  /** The other buttons of the card. */
  children: ReactNode
}

/** After a call of a telephone system, which has logged it: outcome, status and notes. */
export function EndedCallForm({ callLogId, ...props }: Props) {
  const { data } = useQuery(callQuery(callLogId))
  if (!data?.may_correct) return <Group gap={8}>{props.children}</Group>
  return <Form stored={data} {...props} />
}

function Form({ stored, lead, onSaved, children }: Omit<Props, 'callLogId'> & { stored: WholeCall }) {
  // What the form shows first, which refreshes of the page do not change.
  const [{ id, outcome, notes, status }] = useState({ ...stored, status: lead.status })
  const { form, saving, submit, problem } = useSaveForm<Values & { status?: LeadStatus }, unknown>({
    initialValues: { outcome, notes: notes ?? '', ...drafts.get(id) },
    onValuesChange: (values) => drafts.set(id, values),
    save: async (values) => {
      // First, because repeating it changes nothing.
      if (values.status) await setStatus(values.status)
      const wanted = { outcome: values.outcome, notes: values.notes.trim() || null }
      await patch(`/web/calls/${id}`, { ...wanted, was: { outcome, notes } })
    },
    onSaved: (_, values) => {
      drafts.delete(id)
      if (!values.status) notify(t`Call with ${{ name: lead.name }} saved`)
      else {
        const changed = t`${{ name: lead.name }} changed to ${{ status: statusNames[values.status] }}`
        notify(changed, () => setStatus(status).then(refreshLeads))
      }
      onSaved()
      return refreshLeads()
    },
  })
  const setStatus = (to: LeadStatus) => patch(`/web/leads/${lead.id}`, { status: to })
  const input = (name: keyof Values) => ({ key: form.key(name), ...form.getInputProps(name) })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={12}>
        <fieldset className={styles.choices}>
          <legend>{t`New status: saves the call`}</legend>
          <Group gap={8}>
            {leadStatuses
              .filter((other) => other !== status)
              .map((to) => (
                <Button
                  key={to}
                  size="xs"
                  mih={32}
                  variant="default"
                  disabled={saving.isPending}
                  onClick={() => saving.mutate({ ...form.getValues(), status: to })}
                >
                  {statusNames[to]}
                </Button>
              ))}
          </Group>
        </fieldset>
        <ChipField legend={t`Outcome`} size="xs" choices={callOutcomes.map(choice)} {...input('outcome')} />
        <NotesField {...input('notes')} />
        <Problem error={problem} />
        <Group gap={8}>
          <Button type="submit" size="sm" loading={saving.isPending}>
            <Trans>Save call</Trans>
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  )
}

const choice = (value: CallOutcome) => ({ value, label: callOutcomeNames[value] })
