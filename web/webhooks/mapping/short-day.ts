import { dayInIst } from '../../ui/when.ts'

/** "21 Nov": the year of what came these weeks is plain. */
export const shortDay = (instant: string) => dayInIst(instant).replace(/ \d{4}$/, '')
