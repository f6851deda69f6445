/** In milliseconds, between the two reminders of a promised call. */
const again = 15 * 60_000

/** When a second reminder is due. */
export const secondReminder = (first: Date) => new Date(first.getTime() + again)

/** What a lead keeps of a time to call again: when its next reminder is due, and, if the time has passed, that the first one is not. */
export function remindersOf(at: Date | null, now: Date): { remind_at: Date | null; reminded_at: Date | null } {
  if (at === null) return { remind_at: null, reminded_at: null }
  if (at > now) return { remind_at: at, reminded_at: null }
  const second = secondReminder(at)
  return { remind_at: second > now ? second : null, reminded_at: at }
}
