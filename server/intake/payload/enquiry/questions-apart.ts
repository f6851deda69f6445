import type { Leaf } from '../structure/leaves.ts'

/** Joins the day, month and year of a date that a form asks for apart. */
export function withWholeDates(leaves: readonly Leaf[]): readonly Leaf[] {
  const parts = leaves.filter(({ labels: [label = ''], group }) => group.name && /^(day|month|year)$/i.test(label))
  if (parts.length < 3) return leaves
  const wholes = new Map<Leaf, Leaf | null>()
  for (const [group, dates] of Map.groupBy(parts, ({ group }) => group)) {
    const part = (name: string) => dates.find(({ labels: [label = ''] }) => label.toLowerCase() === name)
    const [day, month, year] = [part('day'), part('month'), part('year')]
    if (!day || !month || !year) continue
    for (const date of dates) wholes.set(date, null)
    wholes.set(dates[0]!, { ...dates[0]!, labels: [group.name!], value: `${day.value}-${month.value}-${year.value}` })
  }
  return leaves.flatMap((leaf) => (wholes.has(leaf) ? (wholes.get(leaf) ?? []) : leaf))
}

/** The questions of answers that have a key of their own: `Q1`, `A1`. They are empty for the questions themselves. */
export function askedBeside(leaves: readonly Leaf[]): Map<Leaf, string> {
  const questions = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const number = numberOf(/^(.*)q(?:uestion)?[ _-]?(\d{1,2})$/i, leaf)
    if (number !== undefined) questions.set(number, leaf)
  }
  const asked = new Map<Leaf, string>()
  for (const leaf of questions.size > 0 ? leaves : []) {
    const question = questions.get(numberOf(/^(.*)a(?:ns(?:wer)?)?[ _-]?(\d{1,2})$/i, leaf) ?? '')
    if (question) asked.set(leaf, question.value).set(question, '')
  }
  return asked
}

function numberOf(pattern: RegExp, { labels: [label = ''] }: Leaf): string | undefined {
  const [, before, number] = pattern.exec(label) ?? []
  return number === undefined ? undefined : `${before} ${number}`
}
