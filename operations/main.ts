import { runProgram } from './commands/program.ts'

const exitCode = await runProgram(process.argv.slice(2))
if (exitCode > 0) process.exit(exitCode)
