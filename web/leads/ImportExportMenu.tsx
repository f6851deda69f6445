import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots, IconDownload, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { stringifySearch } from '../search.ts'
import { formatCount, formatNumber } from '../ui/numbers.ts'
import { useNarrow } from '../ui/screen-size.ts'
import type { LeadListSearch } from './lead-search.ts'
import { chosenBy } from './queries.ts'

interface Props {
  search: LeadListSearch
  found: { total: number; capped: boolean } | undefined
  folded: boolean
}

/** Import from a file, and export of the filtered list. */
export function ImportExportMenu({ search, found, folded }: Props) {
  const inMenu = useNarrow() || folded
  const { role, may_export } = useMe()
  const mayImport = role !== 'Agent'
  const href = `/web/leads.csv${stringifySearch(chosenBy(search))}`
  const leads = !found
    ? 'leads'
    : found.capped
      ? `more than ${formatNumber(found.total)} leads`
      : formatCount(found.total, 'lead')
  const none = found?.total === 0
  if (!mayImport && !may_export) return null

  if (inMenu)
    return (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="Import and export">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayImport && (
            <Menu.Item component={Link} to="/leads/import" leftSection={<IconUpload size={16} aria-hidden />}>
              Import leads
            </Menu.Item>
          )}
          {!may_export ? null : none ? (
            <Menu.Item disabled leftSection={<IconDownload size={16} aria-hidden />}>
              No leads to export
            </Menu.Item>
          ) : (
            <Menu.Item component="a" href={href} download leftSection={<IconDownload size={16} aria-hidden />}>
              Export {leads}
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
          to="/leads/import"
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          Import
        </Button>
      )}
      {!may_export ? null : none ? (
        <Button variant="default" disabled leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      ) : (
        <Tooltip label={`Download ${leads} as a CSV file`}>
          <Button
            component="a"
            href={href}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Export
          </Button>
        </Tooltip>
      )}
    </>
  )
}
