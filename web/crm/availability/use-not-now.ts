import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../access/account/me.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { stateInWords } from './availability-words.ts'
import { availabilityChanges, availabilityOf } from './queries.ts'

/** Takes the user out of lead distribution until the end of today, or back in. */
export function useNotNow() {
  const { id } = useMe()
  const { data } = useQuery(availabilityOf(id))
  const { add, take } = availabilityChanges(id)
  const isAway = data?.state === 'away'

  async function leave() {
    const undo = await add({})
    notify(t`You get no new leads until the end of today`, undo)
  }
  async function comeBack() {
    const present = data?.absences.filter(({ is_present }) => is_present) ?? []
    for (const { id } of present) await take(id)
    notify(t`You get new leads again`, () => Promise.all(present.map(({ until }) => add({ until }))))
  }
  return {
    isAway,
    /** "Away today", or null. */
    awayText: data && isAway ? stateInWords(data) : null,
    toggle: () => void (isAway ? comeBack() : leave()).catch(notifyProblem),
  }
}
