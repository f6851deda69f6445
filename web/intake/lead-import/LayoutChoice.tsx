import { t } from '@lingui/core/macro'
import { Alert, Group, NativeSelect } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ImportPreview } from '#contract/intake/lead-import'
import type { Layout } from './send-file.ts'

interface Props {
  preview: ImportPreview
  /** May be newer than the preview. */
  chosen: Layout
  onChange(layout: Layout): void
}

/** Where the leads are in the file: the sheet of a workbook, and the row with the column names. */
export function LayoutChoice({ preview, chosen, onChange }: Props) {
  const { sheets, sheet, header, header_reason, top_rows } = preview
  const others = sheets.filter((name) => name !== sheet)
  const notes = [
    ...(others.length > 0
      ? [t`Only the sheet “${{ sheet: String(sheet) }}” is imported. Not imported: ${{ others: listed(others) }}.`]
      : []),
    ...(header_reason === null ? [] : [header_reason]),
  ]
  return (
    <section aria-label={t`Where the leads are`}>
      {notes.length > 0 && (
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} role="note" mb={16}>
          {notes.join(' ')}
        </Alert>
      )}
      <Group gap={16} align="flex-start" grow preventGrowOverflow={false} maw={720}>
        {sheet !== null && others.length > 0 && (
          <NativeSelect
            label={t`Sheet`}
            data={sheets}
            value={chosen.sheet ?? sheet}
            onChange={({ currentTarget: { value } }) => onChange({ sheet: value })}
          />
        )}
        <NativeSelect
          label={t`Column names`}
          data={[
            ...top_rows.map(({ line, cells }) => ({
              value: String(line),
              label: t`Row ${line}: ${{ cells: cells.join(' · ') }}`,
            })),
            { value: '0', label: t`None: the first row is a lead` },
          ]}
          value={String(chosen.header ?? header)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ header: Number(value), ...(sheet === null ? {} : { sheet }) })
          }
        />
      </Group>
    </section>
  )
}

const shownNames = 5

function listed(names: string[]): string {
  const more = names.length - shownNames
  const shown = names.slice(0, shownNames).join(', ')
  return more > 0 ? t`${shown} and ${more} more` : shown
}
