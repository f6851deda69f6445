import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { formatCount, formatNumber } from './numbers.ts'

export interface Found {
  total: number
  /** The total is a lower bound. */
  capped: boolean
}

interface Props {
  href: string
  /** "lead" */
  thing: string
  found: Found | undefined
  /** Shows only an icon. */
  folded?: boolean
}

/** "12 leads", "more than 10,000 leads" */
export function whatIsFound(thing: string, found: Found | undefined): string {
  if (!found) return `${thing}s`
  return found.capped ? `more than ${formatNumber(found.total)} ${thing}s` : formatCount(found.total, thing)
}

/** Downloads the filtered list as a CSV file. */
export function ExportButton({ href, thing, found, folded = false }: Props) {
  const what = whatIsFound(thing, found)
  const icon = <IconDownload size={16} aria-hidden />
  if (found?.total === 0)
    return folded ? (
      <ActionIcon variant="default" size={36} disabled aria-label={`No ${thing}s to export`}>
        {icon}
      </ActionIcon>
    ) : (
      <Button variant="default" disabled leftSection={icon}>
        Export
      </Button>
    )
  return (
    <Tooltip label={`Download ${what} as a CSV file`}>
      {folded ? (
        <ActionIcon component="a" href={href} download variant="default" size={36} aria-label={`Export ${what}`}>
          {icon}
        </ActionIcon>
      ) : (
        <Button component="a" href={href} download variant="default" leftSection={icon}>
          Export
        </Button>
      )}
    </Tooltip>
  )
}
