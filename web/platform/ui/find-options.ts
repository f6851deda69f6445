import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import { folded } from '#contract/platform/text'

/** Whether what was typed is a part of the label, in any spelling that a search finds. */
export const contains = (label: string, typed: string) => folded(label).includes(folded(typed.trim()))

/** The filter of all fields that offer options. None has groups. */
export const findOptions: OptionsFilter = ({ options, search, limit }) =>
  (options as ComboboxItem[]).filter(({ label }) => contains(label, search)).slice(0, limit)
