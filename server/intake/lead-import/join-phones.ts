import type { CountryCode } from 'libphonenumber-js/max'
import { phoneAt } from '../payload/recognition/join-number.ts'
import type { Leaf } from '../payload/structure/leaves.ts'
import { meaningOf } from '../payload/words/meaning.ts'
import type { ImportColumn } from './contract.ts'

/** Returns the number in a column, with the country or area code of another column if there is one. */
export function joinPhones(columns: ImportColumn[], country: CountryCode) {
  const codes = columns.flatMap(({ name }, index) => {
    const isArea = /^(area|area_?code|std|std_?code)$/i.test(name)
    return isArea || (meaningOf(name).senses.dialCode ?? 0) > 80 ? [index] : []
  })
  const group = { parent: undefined }
  return (index: number, values: string[]): string => {
    const leafOf = (at: number): Leaf => {
      const { name } = columns[at]!
      return { path: [name], value: values[at]!, labels: [name], around: [], type: undefined, group }
    }
    const leaf = leafOf(index)
    const beside = codes.filter((at) => at !== index && values[at] !== '').map(leafOf)
    return phoneAt(leaf, [leaf, ...beside], country) ?? leaf.value
  }
}
