import { runContinuousBackup } from '../continuous-backup/run.ts'
import type { ContinuousMessage } from '../continuous-backup/watch-process.ts'
import { continuousSettings, withOwner } from './open.ts'

/**
 * The process of the continuous backup. It has the credentials of the database's owner and of the bucket, which the service has not. It
 * ends with the service, after the last changes are saved.
 */
const stopping = new AbortController()
process.once('disconnect', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())
// Ctrl-C in a terminal comes to all processes: the service ends this one.
process.on('SIGINT', () => {})

const report = (message: ContinuousMessage) => void (process.connected && process.send!(message))

await withOwner(({ owner, dataDir }) =>
  runContinuousBackup(owner, continuousSettings()!, {
    dataDir,
    signal: stopping.signal,
    onProgress: (progress) => report({ progress }),
    log: (level, message) => report({ level, message }),
  }),
)
process.exit()
