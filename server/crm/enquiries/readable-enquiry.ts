import { type Answer, type Consent, type Origin, type OriginPart, originParts } from './contract.ts'

/** Lines that continue an answer begin so. */
const indent = '  '

/**
 * Writes answers for a file, each as `Question: answer`; the further lines of an answer are indented. A colon in a question gets a space
 * that does not end it.
 */
export const answersText = (answers: readonly Answer[]) =>
  answers
    .map(({ question, answer }) => {
      const asked = question.trim().replace(/\s+/g, ' ').replaceAll(': ', ':\u00a0')
      return `${asked}: ${answer.replace(/\r?\n/g, `\n${indent}`)}`
    })
    .join('\n')

/** Reads answers as `answersText` writes them; undefined if the text is another one. */
export function answersIn(text: string): Answer[] | undefined {
  const answers: Answer[] = []
  for (const line of text.split(/\r?\n/)) {
    const last = answers.at(-1)
    if (line.trim() === '') {
      if (last && line !== '') last.answer += '\n'
      continue
    }
    if (last && /^(\t|\s\s)/.test(line)) {
      last.answer += `\n${line.replace(/^(\t|\s\s)/, '')}`
      continue
    }
    const end = line.indexOf(': ')
    if (end < 1) return undefined
    answers.push({ question: line.slice(0, end).replaceAll(':\u00a0', ': '), answer: line.slice(end + 2) })
  }
  return answers.length > 0 ? answers : undefined
}

const [noText, time, page] = ['Consent', 'Time', 'Page']

/** Writes what a person consented to, as answers are written: each text with what was chosen. */
export const consentText = ({ statements, ...given }: Consent) =>
  answersText([
    ...statements.map(({ text, choice }) => ({ question: text ?? noText, answer: choice ?? '' })),
    ...(given.at === undefined ? [] : [{ question: time, answer: given.at }]),
    ...(given.page === undefined ? [] : [{ question: page, answer: given.page }]),
  ])

/** Reads a consent as `consentText` writes it; undefined if the text is another one. */
export function consentIn(text: string): Consent | undefined {
  const consent: Consent = { statements: [] }
  for (const { question, answer } of answersIn(text) ?? []) {
    if (question === time) consent.at = answer
    else if (question === page) consent.page = answer
    else consent.statements.push({ text: question === noText ? null : question, choice: answer === '' ? null : answer })
  }
  return consent.statements.length > 0 ? consent : undefined
}

/** Writes parts of an origin for a file: `utm_source: google`. */
export const originText = (origin: Origin, parts: readonly OriginPart[]) =>
  parts
    .flatMap((part) => (origin[part] === undefined ? [] : `${part}: ${origin[part].replace(/\s+/g, ' ')}`))
    .join('\n')

/** Reads parts of an origin as `originText` writes them; undefined if the text has none. */
export function originIn(text: string): Origin | undefined {
  const found = text.split(/\r?\n/).flatMap((line): [OriginPart, string][] => {
    const part = originParts.find((one) => line.startsWith(`${one}: `))
    const value = part && line.slice(part.length + 2).trim()
    return part && value ? [[part, value]] : []
  })
  return found.length > 0 ? (Object.fromEntries(found) as Origin) : undefined
}
