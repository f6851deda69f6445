import { queryOptions } from '@tanstack/react-query'
import type { RingingCall } from '#contract/telephony/ringing'
import { type Data, get } from '../../platform/api/api.ts'
import { callDrafts } from '../calls/call-draft.ts'

/** In milliseconds. The event of a call's end may be lost. */
const askEvery = 15_000
const keptFor = 1_800_000
const maxShown = 5

/**
 * The calls that ring for the user. The server shows those that have ended for two minutes; this page keeps what there is to log,
 * and an unassigned lead to call back, until it is dismissed.
 */
export const ringingQuery = queryOptions({
  queryKey: ['ringing'],
  queryFn: async ({ signal, client, queryKey }): Promise<RingingCall[]> => {
    const before = client.getQueryData<RingingCall[]>(queryKey) ?? []
    const { data } = await get<Data<RingingCall[]>>('/web/ringing', {}, signal)
    const kept = before.filter(
      (call) =>
        !data.some(({ id }) => id === call.id) &&
        (isToLog(call) || (isToCallBack(call) && !data.some(({ phone }) => phone === call.phone))),
    )
    return [...data, ...kept].slice(0, maxShown)
  },
  refetchInterval: ({ state }) =>
    state.data?.every((call) => isToLog(call) || isToCallBack(call)) === false ? askEvery : false,
  refetchOnWindowFocus: 'always',
})

/** Whether the user spoke, and can complete the call log now. */
export const isToLog = ({ is_own, may_note, lead, call_log_id, duration_seconds, ended_at }: RingingCall) =>
  (may_note || (is_own && lead !== null && call_log_id !== null)) &&
  duration_seconds !== 0 &&
  Date.now() - Date.parse(ended_at!) < keptFor

/** Whether the user was rung by an unassigned lead, which no list shows them, and missed it. */
const isToCallBack = ({ is_own, is_unassigned, lead, call_log_id, outcome, ended_at }: RingingCall) =>
  is_own &&
  is_unassigned &&
  lead === null &&
  call_log_id === null &&
  outcome === 'Missed' &&
  Date.now() - Date.parse(ended_at!) < keptFor

/** Whether the user typed or chose anything in the form of the call, or in that of a note, whose draft has the call's id. */
export const isEdited = ({ id, lead }: RingingCall) => hasDraft(id) || (lead !== null && hasDraft(lead.id))

const hasDraft = (id: string) => callDrafts.get(id) !== undefined
