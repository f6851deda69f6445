import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconFileTypeCsv } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RowKind } from '#contract/intake/lead-import'
import { ApiProblem } from '../../platform/api/api.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { ColumnList } from './ColumnList.tsx'
import { DefaultsOfRows } from './DefaultsOfRows.tsx'
import { download, fileOfRows } from './download.ts'
import { canBeReached, type ImportField } from './fields.ts'
import { formatSize, isWorkbook } from './file-checks.ts'
import { LayoutChoice } from './LayoutChoice.tsx'
import styles from './LeadImport.module.css'
import { PreviewResult } from './PreviewResult.tsx'
import { type Columns, type Layout, previewFile, previewKey, type RowDefaults, rowsOf } from './send-file.ts'
import { UnknownValues } from './UnknownValues.tsx'
import type { ImportOrder } from './use-import.ts'

interface Props {
  file: File
  warning: string | undefined
  /** The columns of the file before: a file with the same columns, such as its rejected rows, uses them. */
  remembered: Columns
  /** No preview is requested while the import runs. */
  idle: boolean
  onImport(order: ImportOrder): void
  onOther(): void
}

interface Choice {
  columns: Columns
  layout: Layout
  values: Record<string, string>
}
const automatic: Choice = { columns: undefined, layout: {}, values: {} }

/** A dry run of the file: its columns, which can be changed, and its rows. */
export function CheckFile({ file, warning, remembered, idle, onImport, onOther }: Props) {
  const [chosen, setChosen] = useState<Choice>(automatic)
  const { columns, layout, values } = chosen
  const setColumns = (columns: Columns) => setChosen({ ...chosen, columns })
  const [defaults, setDefaults] = useState<RowDefaults>({
    source: isWorkbook(file) ? 'Excel import' : 'CSV import',
    owner: '',
    tags: [],
  })
  // An interrupted import continues with the same ones only. Sent when a field is left, because the file goes with them.
  const [askedDefaults, setAskedDefaults] = useState(defaults)
  const [asked] = useDebouncedValue(chosen, 400)
  const preview = useQuery({
    queryKey: [...previewKey, file.name, file.size, file.lastModified, asked, askedDefaults],
    queryFn: ({ signal }) => previewFile(file, { ...asked, ...askedDefaults }, signal),
    enabled: !idle,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnReconnect: false,
  })
  const downloading = useMutation({
    mutationFn: (kind: RowKind) => rowsOf(file, { ...chosen, ...defaults }, kind),
    onSuccess: (text, kind) => download(fileOfRows(file, kind), [text]),
  })
  const { data } = preview
  const compared = useRef(false)
  useEffect(() => {
    if (!data || compared.current) return
    compared.current = true
    const names = data.columns.map(({ name }) => name)
    if (remembered && Object.keys(remembered).every((name) => names.includes(name)))
      setChosen((now) => ({ ...now, columns: remembered }))
  }, [data, remembered])
  const checking = preview.isFetching || asked !== chosen

  const heading = (
    <Group justify="space-between" gap={8}>
      <Group gap={8} wrap="nowrap" miw={0}>
        <IconFileTypeCsv size={20} aria-hidden className={styles.fileIcon} />
        <Text fw={500}>{file.name}</Text>
        <Text c="dimmed" className="nowrap">
          {formatSize(file)}
        </Text>
      </Group>
      <Button variant="default" onClick={onOther}>
        <Trans>Choose another file</Trans>
      </Button>
    </Group>
  )
  if (!data)
    return (
      <Stack gap={24}>
        {heading}
        {preview.error ? (
          <>
            <Problem
              error={preview.error}
              {...(isRejected(preview.error) ? {} : { retry: () => void preview.refetch() })}
            />
            {chosen !== automatic && (
              <div>
                <Button onClick={() => setChosen(automatic)}>
                  <Trans>Reset sheet and columns</Trans>
                </Button>
              </div>
            )}
          </>
        ) : (
          <div role="status">
            <Text c="dimmed" mb={16}>
              {file.size > 2_000_000 ? t`Reading the file… Large files take a while.` : t`Reading the file…`}
            </Text>
            <Skeleton height={320} />
          </div>
        )}
      </Stack>
    )

  const fields: ImportField[] = data.columns.map(({ name, field }) => {
    if (!columns) return field
    return Object.hasOwn(columns, name) ? columns[name]! : 'ignore'
  })
  const change = (changed: string, to: ImportField) =>
    setColumns(Object.fromEntries(data.columns.map(({ name }, at) => [name, name === changed ? to : fields[at]!])))
  const usable = canBeReached(fields)
  // The preview is of another sheet or row than those chosen.
  const isOther = (layout.sheet ?? data.sheet) !== data.sheet || (layout.header ?? data.header) !== data.header
  const { rows, sheet, header } = data
  const remaining = rows - data.rejected - data.imported
  const startImport = () =>
    onImport({
      file,
      columns: columns ?? asQuery(data.columns),
      layout: { header, ...(sheet === null ? {} : { sheet }) },
      values,
      ...defaults,
    })

  return (
    <Stack gap={24}>
      {heading}
      {warning && (
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} role="note">
          {warning}
        </Alert>
      )}
      {/* Other rows have other columns. */}
      <LayoutChoice
        preview={data}
        chosen={layout}
        onChange={(changed) => setChosen({ ...automatic, layout: changed })}
      />
      <ColumnList
        preview={data}
        fields={fields}
        onChange={change}
        onRecognised={columns && (() => setColumns(undefined))}
      />
      <UnknownValues
        preview={data}
        chosen={values}
        onChange={(id, value) => setChosen({ ...chosen, values: { ...values, [id]: value } })}
      />
      <DefaultsOfRows value={defaults} onChange={setDefaults} onLeave={setAskedDefaults} />
      <PreviewResult
        preview={data}
        checking={checking}
        error={preview.error ?? downloading.error}
        onRetry={() => void preview.refetch()}
        onDownload={downloading.mutate}
      >
        <div className={styles.actions}>
          <Button
            onClick={startImport}
            disabled={!usable || isOther || rows === data.rejected}
            aria-describedby="import-why"
          >
            {remaining < rows
              ? t`Import ${{ remaining: formatNumber(remaining) }} of ${plural(rows, { one: '# row', other: '# rows' })}`
              : t`Import ${plural(rows, { one: '# row', other: '# rows' })}`}
          </Button>
          <Text id="import-why" c="dimmed">
            {usable ? t`You can undo the import for 7 days.` : t`Map a column to phone or email first.`}
          </Text>
        </div>
      </PreviewResult>
    </Stack>
  )
}

/** The import uses exactly the columns of the preview. */
const asQuery = (columns: { name: string; field: ImportField }[]): Columns =>
  Object.fromEntries(columns.map(({ name, field }) => [name, field]))

/** The same file would be rejected again. */
const isRejected = (error: Error) => error instanceof ApiProblem && error.status >= 400 && error.status < 500
