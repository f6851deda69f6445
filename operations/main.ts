import cluster from 'node:cluster'
import { environment } from './commands/open.ts'
import { runProgram } from './commands/program.ts'
import { endWithParent } from './processes/end-with-parent.ts'

// A worker ends with the primary process by itself.
if (!cluster.isWorker) endWithParent({ byNpm: environment.npm_lifecycle_event !== undefined })

const exitCode = await runProgram(process.argv.slice(2))
if (exitCode > 0) process.exit(exitCode)
