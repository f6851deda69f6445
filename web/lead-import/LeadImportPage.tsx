import { Link, useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { BackLink } from '../ui/BackLink.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Page } from '../ui/Page.tsx'
import { CheckFile } from './CheckFile.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import { ImportRun } from './ImportRun.tsx'
import styles from './LeadImport.module.css'
import { type ImportOrder, isRunning, useImport } from './use-import.ts'

/** A file is chosen, checked without changing anything, then imported. */
export function LeadImportPage() {
  const [chosen, setChosen] = useState<{ file: File; remark: string | undefined } | null>(null)
  const [order, setOrder] = useState<ImportOrder | null>(null)
  const { state, start, cancel, reset } = useImport()
  const running = isRunning(state)
  const leave = useBlocker({ shouldBlockFn: () => running, enableBeforeUnload: running, withResolver: true })
  const top = useRef<HTMLDivElement>(null)

  const begin = (given: ImportOrder) => {
    setOrder(given)
    void start(given)
    top.current?.focus()
    scrollTo({ top: 0 })
  }
  const startOver = () => {
    reset()
    setChosen(null)
  }

  return (
    <Page
      title="Import leads"
      about={
        !chosen &&
        'From a CSV file: a first line of column names, then a line for each lead. Somebody who is a lead already, by phone or email, is merged, so nobody is there twice.'
      }
      back={<BackLink renderRoot={(props) => <Link {...props} to="/leads" />}>Leads</BackLink>}
    >
      <div ref={top} tabIndex={-1} className={styles.content}>
        {!chosen && <ChooseFile onChoose={(file, remark) => setChosen({ file, remark })} />}
        {/* Stays while the import runs, so that what was mended in it is there when one goes back. */}
        {chosen && (
          <div hidden={state !== null}>
            <CheckFile
              key={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.file.size}`}
              {...chosen}
              remembered={order?.columns}
              idle={state !== null}
              onImport={begin}
              onOther={startOver}
            />
          </div>
        )}
        {state && order && (
          <ImportRun
            state={state}
            order={order}
            onCancel={cancel}
            onAgain={() => begin(order)}
            onBack={reset}
            onOther={startOver}
          />
        )}
      </div>
      <ConfirmDialog
        opened={leave.status === 'blocked'}
        onClose={() => leave.reset?.()}
        title="Stop the import?"
        action="Stop and leave"
        onConfirm={async () => {
          cancel()
          leave.proceed?.()
        }}
      >
        The import is running and stops when you leave this page. The leads it has made stay. Importing the same file
        later is safe: the same person merges.
      </ConfirmDialog>
    </Page>
  )
}
