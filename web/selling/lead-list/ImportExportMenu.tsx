import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowMerge, IconDots, IconDownload, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'
import { DuplicateCount } from '../../crm/duplicates/DuplicateCount.tsx'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { useLeadFiles } from '../../crm/views/use-lead-files.ts'
import { ExportMenu, exportItems, type Found } from '../../platform/ui/ExportMenu.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'

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
  const files = useLeadFiles(search)
  if (!mayImport && !may_export) return null
  const what = whatIsFound(found)
  const none = t`No leads to export`

  if (inMenu)
    return (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`Import, export and duplicates`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayImport && (
            <Menu.Item component={Link} to="/leads/import" leftSection={<IconUpload size={16} aria-hidden />}>
              <Trans>Import leads</Trans>
            </Menu.Item>
          )}
          {mayImport && (
            <Menu.Item
              component={Link}
              to="/leads/duplicates"
              leftSection={<IconArrowMerge size={16} aria-hidden />}
              rightSection={<DuplicateCount />}
            >
              <Trans>Possible duplicates</Trans>
            </Menu.Item>
          )}
          {!may_export ? null : found?.total === 0 ? (
            <Menu.Item disabled leftSection={<IconDownload size={16} aria-hidden />}>
              {none}
            </Menu.Item>
          ) : (
            <>
              {mayImport && <Menu.Divider />}
              <Menu.Label>{t`Export ${what}`}</Menu.Label>
              {exportItems(files)}
            </>
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
          rightSection={<DuplicateCount />}
        >
          <Trans>Duplicates</Trans>
        </Button>
      )}
      {mayImport && (
        <Button
          component={Link}
          to="/leads/import"
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          <Trans>Import</Trans>
        </Button>
      )}
      {may_export && <ExportMenu files={files} what={what} none={none} found={found} />}
    </>
  )
}

/** "12 leads", "more than 10,000 leads" */
function whatIsFound(found: Found | undefined): string {
  if (!found) return t`leads`
  const { total, capped } = found
  return capped
    ? t`more than ${plural(total, { one: '# lead', other: '# leads' })}`
    : plural(total, { one: '# lead', other: '# leads' })
}
