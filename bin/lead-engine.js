#!/usr/bin/env node
// Runs on any Node that can call npm. If that is older than the one that was installed with Lead Engine, hands over to it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { installedNode } from './installed-node.js'
import { missing } from './missing.js'

const oldest = '24.7'
const tested = '26'
// Compiled code is kept for the next start. In a folder that this user may not write, Node starts without.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../dist/compiled', import.meta.url))
const own = isAtLeast(tested) ? null : installedNode()
// A release contains JavaScript: Node runs no TypeScript in node_modules.
const main = ['main.js', 'main.ts'].map((name) => new URL(`../operations/${name}`, import.meta.url)).find(existsSync)

const problem = missing()

if (problem) {
  console.error(problem)
  process.exit(1)
} else if (own) {
  // The channel ends with this process, also by SIGKILL, and then the child ends. A step of an upgrade has such a channel itself.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(own, [fileURLToPath(main), ...process.argv.slice(2)], { stdio })
  const end = () => child.kill('SIGTERM')
  if (process.connected === false) end()
  process.once('disconnect', end)
  process.channel?.unref()
  // The terminal sends Ctrl-C to both, and other signals come to this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (status) => process.exit(status ?? 1))
} else if (isAtLeast(oldest)) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  await import(main)
} else {
  console.error(
    `Lead Engine needs Node ${oldest} or newer, and this is Node ${process.versions.node}. Use a newer one, or install ` +
      'Lead Engine again without --omit=optional: its optional packages contain Node.',
  )
  process.exit(1)
}

function isAtLeast(version) {
  const [major, minor = 0] = version.split('.').map(Number)
  const [thisMajor, thisMinor] = process.versions.node.split('.').map(Number)
  return thisMajor > major || (thisMajor === major && thisMinor >= minor)
}
