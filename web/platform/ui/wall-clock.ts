/** The time in India, in the format of a time input: 2026-11-21T10:30. */
export const wallClock = (instant: number) => new Date(instant + 5.5 * 3_600_000).toISOString().slice(0, 16)

/** Returns an instant as the API writes it. */
export const instantOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Returns the instant of such a time, as the API reads it. */
export const toInstant = (time: string) => `${time}:00+05:30`
