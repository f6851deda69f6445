import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Found } from './ExportMenu.tsx'

interface Props {
  href: string
  /** What the file contains: "12 leads". */
  what: string
  /** Says that there is nothing to export: "No leads to export". */
  none: string
  found: Found | undefined
  /** Shows only an icon. */
  folded?: boolean
}

/** Downloads the filtered list as a CSV file. */
export function ExportButton({ href, what, none, found, folded = false }: Props) {
  const icon = <IconDownload size={16} aria-hidden />
  if (found?.total === 0)
    return folded ? (
      <ActionIcon variant="default" size={36} disabled aria-label={none}>
        {icon}
      </ActionIcon>
    ) : (
      <Button variant="default" disabled leftSection={icon}>
        <Trans>Export</Trans>
      </Button>
    )
  return (
    <Tooltip label={t`Download ${what} as a CSV file`}>
      {folded ? (
        <ActionIcon component="a" href={href} download variant="default" size={36} aria-label={t`Export ${what}`}>
          {icon}
        </ActionIcon>
      ) : (
        <Button component="a" href={href} download variant="default" leftSection={icon}>
          <Trans>Export</Trans>
        </Button>
      )}
    </Tooltip>
  )
}
