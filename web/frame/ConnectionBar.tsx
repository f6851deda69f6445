import { useConnected } from '../connection.ts'
import styles from './ConnectionBar.module.css'

/** Shows that the server does not answer, until it does. */
export function ConnectionBar() {
  const connected = useConnected()
  return (
    <div role="status" className={styles.container}>
      {!connected && <div className={styles.bar}>No connection to the server. Reconnecting…</div>}
    </div>
  )
}
