import type { UserReport } from '#contract/insight/reports'

type Stage = UserReport['funnel'][number]

/** Returns how many leads have each status or came further, also those that were lost then. */
export function reachedBy(funnel: UserReport['funnel']) {
  const stages = funnel.filter(
    (stage): stage is Stage & { status: NonNullable<Stage['status']> } => stage.status !== null,
  )
  const unknown = funnel.find(({ status }) => status === null)?.lost ?? 0
  const sum = (some: Stage[]) => some.reduce((sum, { leads, lost }) => sum + leads + lost, 0)
  const total = sum(stages) + unknown
  return {
    total,
    unknown,
    stages: stages.map(({ status, lost }, at) => ({
      status,
      lost,
      reached: at === 0 ? total : sum(stages.slice(at)),
    })),
  }
}
