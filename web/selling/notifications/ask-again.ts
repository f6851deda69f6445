/** How often this device was asked to turn on notifications, and when at last, in milliseconds. */
export interface Asked {
  times: number
  at: number
}

const againAfter = 7 * 86_400_000
const maxTimes = 3

/** "Not now" asks again after 7 days, at most 3 times in all. */
export const mayAsk = ({ times, at }: Asked, now: number): boolean =>
  times < maxTimes && (times === 0 || now - at >= againAfter)
