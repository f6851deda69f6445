// Puts the installed Node first in the PATH of npm scripts. npm 9 fails to: the packages of the other platforms, which it
// removes, have a program of the same name.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedNode } from './installed-node.js'
import { missing, missingAfterInstall } from './missing.js'

const problem = missing() ?? missingAfterInstall()
if (problem) {
  console.error(problem)
  process.exit(1)
}

const folder = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
const link = join(folder, 'node')
const node = installedNode()

if (node && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(relative(folder, node), link)
}
