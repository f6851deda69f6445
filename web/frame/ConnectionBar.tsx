import { useConnected } from '../connection.ts'
import styles from './ConnectionBar.module.css'

/** A quiet line while the server does not answer; it goes away by itself, and nothing typed is lost. */
export function ConnectionBar() {
  const connected = useConnected()
  return (
    <div role="status" className={styles.place}>
      {!connected && <div className={styles.bar}>No connection to the server. Trying again by itself.</div>}
    </div>
  )
}
