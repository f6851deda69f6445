import { plural, t } from '@lingui/core/macro'

/** "15 minutes", "1 hour", "2 hours". */
export const formatMinutes = (minutes: number) =>
  minutes < 60 || minutes % 60 !== 0
    ? plural(minutes, { one: '# minute', other: '# minutes' })
    : plural({ hours: minutes / 60 }, { one: '# hour', other: '# hours' })

/** The usual values in order, with the chosen one if it is another. */
export const withChosen = (usual: number[], chosen: number | null) =>
  [...new Set(chosen === null ? usual : [...usual, chosen])].toSorted((one, other) => one - other)

const usualMinutes = [5, 10, 15, 30, 60, 120, 240]

/** Options of a select for a number of minutes, or never. */
export const minuteOptions = (chosen: number | null) => [
  ...withChosen(usualMinutes, chosen).map((value) => ({ value: String(value), label: formatMinutes(value) })),
  { value: 'never', label: t`Never` },
]

export const minutesText = (minutes: number | null) => (minutes === null ? 'never' : String(minutes))

export const minutesOf = (text: string | null) => (text === null || text === 'never' ? null : Number(text))
