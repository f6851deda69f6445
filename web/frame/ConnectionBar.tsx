import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useConnected, useUnwritable } from '../platform/api/connection.ts'
import { formatDateTime } from '../platform/ui/time.ts'
import styles from './ConnectionBar.module.css'
import { useShownFrom } from './shown-from.ts'

/** Shows that the server does not answer, or that nothing can be saved, until it is over. */
export function ConnectionBar() {
  const connected = useConnected()
  const unwritable = useUnwritable()
  return (
    <div role="status">
      {!connected ? (
        <div className={styles.bar}>
          <NoConnection />
        </div>
      ) : (
        unwritable && (
          <div className={styles.bar}>
            {unwritable === 'disk_full' ? (
              <Trans>Changes cannot be saved: the disk of the database is full. You can still read.</Trans>
            ) : (
              <Trans>Changes cannot be saved: the database is read-only. You can still read.</Trans>
            )}
          </div>
        )
      )}
    </div>
  )
}

function NoConnection() {
  const shownFrom = useShownFrom()
  return shownFrom === null
    ? t`No connection to the server. Reconnecting…`
    : t`No connection to the server. Shown as of ${{ time: formatDateTime(shownFrom) }}. Reconnecting…`
}
