#!/usr/bin/env node
// Runs on any Node that can call npm, and hands over to the Node that the project brings.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
const main = fileURLToPath(new URL('../server/main.ts', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= 26) {
  await import('../server/main.ts')
} else if (existsSync(own)) {
  // Signals from the terminal reach both; the one that works ends first.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const { status, signal } = spawnSync(own, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(signal ? 1 : (status ?? 1))
} else {
  console.error('Node 26 is missing: run npm ci in the folder of Lead Engine.')
  process.exit(1)
}
