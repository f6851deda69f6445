import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import { folded } from '#contract/platform/text'

/** Whether what was typed is a part of the label, in any spelling that a search finds. */
export const contains = (label: string, typed: string) => folded(label).includes(folded(typed.trim()))

/** The filter of all fields that offer options, some of them in groups. */
export const findOptions: OptionsFilter = ({ options, search, limit }) => {
  const found = <Item extends ComboboxItem>(items: Item[]) =>
    items.filter(({ label }) => contains(label, search)).slice(0, limit)
  const left = options.flatMap((option): typeof options => {
    if (!('group' in option)) return found([option])
    const items = found(option.items)
    return items.length > 0 ? [{ ...option, items }] : []
  })
  return left.slice(0, limit)
}
