import { useMe } from '../../access/account/me.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import type { ExportFile } from '../../platform/ui/ExportMenu.tsx'
import type { LeadListSearch } from '../leads/lead-search.ts'
import { chosenBy } from '../leads/queries.ts'
import { columnsInFile, type LeadFile, leadFiles } from './lead-files.ts'
import { useShownColumns } from './use-shown-columns.ts'
import { timeOf } from './view-search.ts'

/** The files of the list: its leads, or those that were chosen, in its order. `download` gets the chosen ones. */
export function useLeadFiles(search: LeadListSearch, download?: (file: ChosenFile) => void): ExportFile[] {
  const { sort, reverse } = search
  const isAgent = useMe().role === 'Agent'
  const { visible } = useShownColumns()
  const columns = columnsInFile({ shown: visible, isAgent, time: timeOf(sort) })
  return leadFiles(columns, ({ format, columns }) =>
    download
      ? { download: () => download({ format, sort, reverse, columns }) }
      : { href: `/web/leads.${format}${stringifySearch({ ...chosenBy(search), sort, reverse, columns })}` },
  )
}

export type ChosenFile = LeadFile & Pick<LeadListSearch, 'sort' | 'reverse'>
