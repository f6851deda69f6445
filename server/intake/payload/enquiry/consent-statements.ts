import type { Statement } from '../../../crm/enquiries/contract.ts'

export const ticked = /^(1|y|yes|true|on|checked|ticked)$/i
export const no = /^(0|no|n|false|off|unchecked|none|null|not (dnd|registered|found))$/i

/** A text that was shown, or what was chosen. */
export interface Agreed {
  question: string
  said: string
}

/** Returns the texts of one object with what was chosen: those that stand beside each other belong together. */
export function statementsOf(agreed: readonly Agreed[]): Statement[] {
  const statements: Statement[] = []
  const isText = ({ question, said }: Agreed) => said.split(/[\s_]+/).length > 3 && question.split(/[\s_]+/).length < 5
  const [texts, choices] = [agreed.filter(isText), agreed.filter((one) => !isText(one))]
  // A text and what was chosen, in any order.
  if (texts.length === 1 && choices.length === 1) return [{ text: texts[0]!.said, choice: choices[0]!.said }]
  for (const one of agreed) {
    const { question, said } = one
    const last = statements.at(-1)
    if (isText(one)) {
      if (last && last.text === null) last.text = said
      else statements.push({ text: said, choice: null })
    } else if (question.split(/[\s_]+/).length > 4) statements.push({ text: question, choice: said })
    else if (last && last.choice === null) last.choice = said
    else statements.push({ text: chosenIn(question), choice: said })
  }
  // A box whose value is its text was ticked.
  const [only] = agreed.length === 1 && isText(agreed[0]!) ? statements : []
  if (only && !shown.test(agreed[0]!.question)) only.choice = 'Yes'
  return statements
}

const shown = /text|label|statement|copy|wording|message|title|content/i

/** `whatsapp_optin` says what was chosen; `consent` does not. */
const chosenIn = (question: string) =>
  /^(consent|gdpr|agree|accept(ed|ance)?|given|granted|value|choice|status|is_?checked|checked|terms)([_ -]?(given|status|\d+))?$/i.test(
    question,
  )
    ? null
    : question
