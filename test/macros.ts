/** Stands for `@lingui/core/macro` in tests of the web app's rules, which run in Node: the build would transform them. Texts are in English. */

type Value = string | number | Record<string, string | number>

const plainValue = (value: Value) => (typeof value === 'object' ? Object.values(value)[0]! : value)

export const t = (text: TemplateStringsArray | { message: string }, ...values: Value[]) =>
  'message' in text ? text.message : String.raw({ raw: text.raw }, ...values.map(plainValue))

const plurals = new Intl.PluralRules('en')
const numbers = new Intl.NumberFormat('en-IN')

export function plural(count: number | Record<string, number>, forms: Record<string, string> & { other: string }) {
  const value = Number(plainValue(count))
  const form = forms[value] ?? forms[plurals.select(value)] ?? forms.other
  return form.replaceAll('#', numbers.format(value))
}
