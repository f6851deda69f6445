import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { CheckFile } from './CheckFile.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import { ImportList } from './ImportList.tsx'
import { ImportRun } from './ImportRun.tsx'
import styles from './LeadImport.module.css'
import { type ImportOrder, isRunning, useImport } from './use-import.ts'

/** Choose a file, check it with a dry run, import it. */
export function LeadImportPage() {
  const [chosen, setChosen] = useState<{ file: File; warning: string | undefined } | null>(null)
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
      title={t`Import leads`}
      about={
        !chosen &&
        t`Import a CSV or Excel file with a line of column names and a line for each lead. Rows with the phone or email of an existing lead are merged into it.`
      }
      back={
        <BackLink renderRoot={(props) => <Link {...props} to="/leads" />}>
          <Trans>Leads</Trans>
        </BackLink>
      }
    >
      <div ref={top} tabIndex={-1} className={styles.content}>
        {!chosen && (
          <>
            <ChooseFile onChoose={(file, warning) => setChosen({ file, warning })} />
            <ImportList />
          </>
        )}
        {/* Stays mounted during the import, so that Back shows the changed columns. */}
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
        title={t`Stop the import?`}
        action={t`Stop and leave`}
        onConfirm={async () => {
          cancel()
          leave.proceed?.()
        }}
      >
        <Trans>
          The import stops when you leave this page. Imported leads stay. Import the file again later to continue.
        </Trans>
      </ConfirmDialog>
    </Page>
  )
}
