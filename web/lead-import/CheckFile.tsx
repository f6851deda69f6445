import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconFileTypeCsv } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../api.ts'
import { useIsAdmin } from '../me.ts'
import { formatCount } from '../ui/numbers.ts'
import { Problem } from '../ui/Problem.tsx'
import { ColumnList } from './ColumnList.tsx'
import { canBeReached, type ImportField } from './fields.ts'
import { sizeOf } from './file-checks.ts'
import styles from './LeadImport.module.css'
import { PreviewResult } from './PreviewResult.tsx'
import { type Columns, previewFile } from './send-file.ts'
import type { ImportOrder } from './use-import.ts'

interface Props {
  file: File
  remark: string | undefined
  /** As the file before was imported: one of the same columns is taken alike, such as its refused rows. */
  remembered: Columns
  /** Nothing is asked while the import itself runs. */
  idle: boolean
  onImport(order: ImportOrder): void
  onOther(): void
}

/** What the server makes of the file without changing anything: its columns, which can be mended, and its rows. */
export function CheckFile({ file, remark, remembered, idle, onImport, onOther }: Props) {
  const isAdmin = useIsAdmin()
  const [columns, setColumns] = useState<Columns>()
  const [source, setSource] = useState('CSV import')
  const [asked] = useDebouncedValue(columns, 400)
  const trial = useQuery({
    queryKey: ['lead-import', 'trial', file.name, file.size, file.lastModified, asked],
    queryFn: ({ signal }) => previewFile(file, asked, signal),
    enabled: !idle,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnReconnect: false,
  })
  const { data } = trial
  const compared = useRef(false)
  useEffect(() => {
    if (!data || compared.current) return
    compared.current = true
    const names = data.columns.map(({ name }) => name)
    if (remembered && Object.keys(remembered).every((name) => names.includes(name))) setColumns(remembered)
  }, [data, remembered])
  const checking = trial.isFetching || asked !== columns

  const heading = (
    <Group justify="space-between" gap={8}>
      <Group gap={8} wrap="nowrap" miw={0}>
        <IconFileTypeCsv size={20} aria-hidden className={styles.fileIcon} />
        <Text fw={500}>{file.name}</Text>
        <Text c="dimmed" className="nowrap">
          {sizeOf(file)}
        </Text>
      </Group>
      <Button variant="default" onClick={onOther}>
        Choose another file
      </Button>
    </Group>
  )
  if (!data)
    return (
      <Stack gap={24}>
        {heading}
        {trial.error ? (
          <Problem error={trial.error} {...(isRefusal(trial.error) ? {} : { retry: () => void trial.refetch() })} />
        ) : (
          <div role="status">
            <Text c="dimmed" mb={16}>
              Reading the file…{file.size > 2_000_000 && ' Of this size it takes a while.'}
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
  const startImport = () => onImport({ file, columns: columns ?? asQuery(data.columns), source })

  return (
    <Stack gap={24}>
      {heading}
      {remark && (
        <Alert variant="default" icon={<IconAlertTriangle color="var(--amber)" />} role="note">
          {remark}
        </Alert>
      )}
      <ColumnList
        trial={data}
        fields={fields}
        onChange={change}
        onRecognised={columns && (() => setColumns(undefined))}
      />
      <TextInput
        label="Source"
        description={`Of new leads whose row names none. Leads without an owner ${isAdmin ? 'go by your distribution rules, else to you' : 'become yours'}.`}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
        maxLength={200}
        maw={480}
      />
      <PreviewResult trial={data} checking={checking} error={trial.error} onRetry={() => void trial.refetch()}>
        <div className={styles.actions}>
          <Button onClick={startImport} disabled={!usable || data.rows === 0} aria-describedby="import-why">
            Import {formatCount(data.rows, 'row')}
          </Button>
          <Text id="import-why" c="dimmed">
            {usable ? 'Merging cannot be undone.' : 'Choose the column that holds the phone or the email first.'}
          </Text>
        </div>
      </PreviewResult>
    </Stack>
  )
}

/** What was seen is what is imported, however the first rows may be recognised by then. */
const asQuery = (columns: { name: string; field: ImportField }[]): Columns =>
  Object.fromEntries(columns.map(({ name, field }) => [name, field]))

/** The same file would be refused again. */
const isRefusal = (error: Error) => error instanceof ApiProblem && error.status >= 400 && error.status < 500
