#!/usr/bin/env node
// Runs on any Node that can call npm, and hands over to the Node that the project brings.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
const main = fileURLToPath(new URL('../server/main.ts', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= 26) {
  await import('../server/main.ts')
} else if (existsSync(own)) {
  const child = spawn(own, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both, and other signals come to this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (status) => process.exit(status ?? 1))
} else {
  console.error('Node 26 is missing: run npm ci in the folder of Lead Engine.')
  process.exit(1)
}
