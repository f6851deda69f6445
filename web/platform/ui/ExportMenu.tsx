import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Menu } from './Menu.tsx'

export interface Found {
  total: number
  /** The total is a lower bound. */
  capped: boolean
}

/** A file to choose: its URL, or what downloads it. */
export interface ExportFile {
  label: string
  href?: string
  download?(): void
}

/** Returns the files of a list in each format. `path` is without the format: /web/calls. */
export const filesOf = (path: string, query: string): ExportFile[] => [
  { label: t`Excel (XLSX)`, href: `${path}.xlsx${query}` },
  { label: t`CSV`, href: `${path}.csv${query}` },
]

export const exportItems = (files: ExportFile[]) =>
  files.map(({ label, href, download }) =>
    href === undefined ? (
      <Menu.Item key={label} onClick={download}>
        {label}
      </Menu.Item>
    ) : (
      <Menu.Item key={label} component="a" href={href} download>
        {label}
      </Menu.Item>
    ),
  )

interface Props {
  files: ExportFile[]
  /** What the file contains: "12 leads". */
  what: string
  /** Says that there is nothing to export: "No leads to export". */
  none: string
  found: Found | undefined
  /** Shows only an icon. */
  folded?: boolean
}

/** Downloads the filtered list as one of several files. */
export function ExportMenu({ files, what, none, found, folded = false }: Props) {
  const icon = <IconDownload size={16} aria-hidden />
  const isEmpty = found?.total === 0
  return (
    <Menu position="bottom-end" disabled={isEmpty}>
      <Menu.Target>
        {folded ? (
          <ActionIcon variant="default" size={36} disabled={isEmpty} aria-label={isEmpty ? none : t`Export ${what}`}>
            {icon}
          </ActionIcon>
        ) : (
          <Button variant="default" disabled={isEmpty} leftSection={icon}>
            <Trans>Export</Trans>
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t`Export ${what}`}</Menu.Label>
        {exportItems(files)}
      </Menu.Dropdown>
    </Menu>
  )
}
