import { t } from '@lingui/core/macro'
import type { LoggedCall } from '#contract/telephony/calls'
import { formatCallAgain } from '../../crm/leads/call-again.ts'
import { notify } from '../../platform/ui/notify.tsx'

export interface Reassigned {
  lead: { name: string }
  logged: LoggedCall
}

/** Says what was saved of calls whose leads were reassigned during them. Few need it, and everyone waits for the first page. */
export const notifyOfReassigned = (calls: Reassigned[]) => notify(calls.map(textOf).join(' '))

const textOf = ({ lead: { name }, logged: { planned_at, is_rest_noted } }: Reassigned): string =>
  [
    t`Call with ${name} saved. The lead was reassigned meanwhile.`,
    ...(planned_at ? [t`Planned for the new owner: call again ${{ time: formatCallAgain(planned_at) }}.`] : []),
    ...(is_rest_noted ? [t`The rest is in the notes of the call only.`] : []),
  ].join(' ')
