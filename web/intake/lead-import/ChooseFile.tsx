import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, FileButton, Text } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useIsAdmin } from '../../access/account/me.ts'
import { exampleLines } from './csv.ts'
import { download } from './download.ts'
import { checkFile, maxMb } from './file-checks.ts'
import styles from './LeadImport.module.css'

/** With the button, or by dropping a file anywhere on the page. */
export function ChooseFile({ onChoose }: { onChoose(file: File, warning: string | undefined): void }) {
  const isAdmin = useIsAdmin()
  const [rejected, setRejected] = useState<{ name: string; reason: string } | null>(null)
  const resetInput = useRef<() => void>(null)

  const choose = useCallback(
    async (file: File) => {
      setRejected(null)
      const { problem: reason, warning } = await checkFile(file, isAdmin)
      if (reason === undefined) onChoose(file, warning)
      else setRejected({ name: file.name, reason })
    },
    [onChoose, isAdmin],
  )
  const dragging = useDrop(choose)

  return (
    <>
      <div className={styles.drop} data-dragging={dragging || undefined}>
        <IconFileTypeCsv size={32} stroke={1.5} aria-hidden />
        <div>
          <FileButton
            accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values"
            resetRef={resetInput}
            onChange={(file) => {
              // Otherwise the same file could not be chosen again after a fix.
              resetInput.current?.()
              if (file) void choose(file)
            }}
            inputProps={{ 'aria-label': t`CSV or Excel file`, tabIndex: -1 }}
          >
            {({ onClick }) => (
              <Button onClick={onClick}>
                <Trans>Choose file</Trans>
              </Button>
            )}
          </FileButton>
        </div>
        <Text c="dimmed">
          {dragging
            ? t`Drop to check the file`
            : t`or drop a CSV or Excel file here. Up to ${{ size: maxMb(isAdmin) }} MB.`}
        </Text>
      </div>
      {rejected && (
        <Alert
          role="alert"
          variant="default"
          icon={<IconAlertCircle color="var(--red)" />}
          mt={16}
          title={rejected.name}
        >
          {rejected.reason}
        </Alert>
      )}
      <Text c="dimmed" mt={16}>
        <Trans>
          Every row needs a phone or an email. Columns are recognised by their names and values. You see a preview
          before anything is imported.
        </Trans>
      </Text>
      <Button variant="default" mt={16} onClick={() => download('leads-example.csv', exampleLines)}>
        <Trans>Download example</Trans>
      </Button>
    </>
  )
}

/** Returns whether a file is dragged over the page. Prevents the browser from opening a dropped file. */
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
