import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowMerge, IconDots, IconDownload, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { stringifySearch } from '../search.ts'
import { ExportButton, type Found, whatIsFound } from '../ui/ExportButton.tsx'
import { useNarrow } from '../ui/screen-size.ts'
import type { LeadListSearch } from './lead-search.ts'
import { chosenBy } from './queries.ts'

interface Props {
  search: LeadListSearch
  found: Found | undefined
  folded: boolean
}

/** Import from a file, export of the filtered list, and possible duplicates. */
export function ImportExportMenu({ search, found, folded }: Props) {
  const inMenu = useNarrow() || folded
  const { role, may_export } = useMe()
  const mayImport = role !== 'Agent'
  const href = `/web/leads.csv${stringifySearch(chosenBy(search))}`
  if (!mayImport && !may_export) return null

  if (inMenu)
    return (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="Import, export and duplicates">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayImport && (
            <Menu.Item component={Link} to="/leads/import" leftSection={<IconUpload size={16} aria-hidden />}>
              Import leads
            </Menu.Item>
          )}
          {mayImport && (
            <Menu.Item component={Link} to="/leads/duplicates" leftSection={<IconArrowMerge size={16} aria-hidden />}>
              Possible duplicates
            </Menu.Item>
          )}
          {!may_export ? null : found?.total === 0 ? (
            <Menu.Item disabled leftSection={<IconDownload size={16} aria-hidden />}>
              No leads to export
            </Menu.Item>
          ) : (
            <Menu.Item component="a" href={href} download leftSection={<IconDownload size={16} aria-hidden />}>
              Export {whatIsFound('lead', found)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    )

  return (
    <>
      {mayImport && (
        <Button
          component={Link}
          to="/leads/duplicates"
          variant="default"
          leftSection={<IconArrowMerge size={16} aria-hidden />}
        >
          Duplicates
        </Button>
      )}
      {mayImport && (
        <Button
          component={Link}
          to="/leads/import"
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          Import
        </Button>
      )}
      {may_export && <ExportButton href={href} thing="lead" found={found} />}
    </>
  )
}
