import { Alert, Button, FileButton, Text } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { exampleLines } from './csv.ts'
import { download } from './download.ts'
import { checkFile } from './file-checks.ts'
import styles from './LeadImport.module.css'

/** By the button, or dropped anywhere on the page. */
export function ChooseFile({ onChoose }: { onChoose(file: File, remark: string | undefined): void }) {
  const [refusal, setRefusal] = useState<{ name: string; reason: string } | null>(null)
  const forget = useRef<() => void>(null)

  const choose = useCallback(
    async (file: File) => {
      setRefusal(null)
      const { refusal: reason, remark } = await checkFile(file)
      if (reason === undefined) onChoose(file, remark)
      else setRefusal({ name: file.name, reason })
    },
    [onChoose],
  )
  const dragging = useDrop(choose)

  return (
    <>
      <div className={styles.drop} data-dragging={dragging || undefined}>
        <IconFileTypeCsv size={32} stroke={1.5} aria-hidden />
        <div>
          <FileButton
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            resetRef={forget}
            onChange={(file) => {
              // Or the same file, mended, could not be chosen again.
              forget.current?.()
              if (file) void choose(file)
            }}
            inputProps={{ 'aria-label': 'CSV file', tabIndex: -1 }}
          >
            {({ onClick }) => <Button onClick={onClick}>Choose CSV file</Button>}
          </FileButton>
        </div>
        <Text c="dimmed">{dragging ? 'Let go to check it' : 'or drop it here. Up to 20 MB.'}</Text>
      </div>
      {refusal && (
        <Alert
          role="alert"
          variant="default"
          icon={<IconAlertCircle color="var(--red)" />}
          mt={16}
          title={refusal.name}
        >
          {refusal.reason}
        </Alert>
      )}
      <Text c="dimmed" mt={16}>
        Every line needs a phone or an email. Columns are recognised by their names and by what is in them; nothing is
        imported before you have seen that.
      </Text>
      <Button variant="default" mt={16} onClick={() => download('leads-example.csv', exampleLines)}>
        Download an example
      </Button>
    </>
  )
}

/** Answers whether a file is being held over the page. A file that misses the area must not open in the page's place. */
function useDrop(onDrop: (file: File) => void): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setDragging(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false)
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setDragging(false)
      const file = event.dataTransfer?.files[0]
      if (file) onDrop(file)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [onDrop])
  return dragging
}
