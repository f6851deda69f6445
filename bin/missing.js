import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => new URL(`../${path}`, import.meta.url)
/** The Node of the npm that runs this, if any. npm puts the installed Node first in the PATH. */
const thisNode = /\bnode\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? process.versions.node

/** Returns what to do before a checkout can start, or null. A release contains its packages and the built web app. */
export function missing() {
  if (!existsSync(at('operations/main.ts'))) return null
  // npm of an older Node leaves out packages that build the web app.
  if (Number.parseInt(thisNode, 10) < 20) {
    return `Lead Engine needs Node 20.19 or newer, and this is Node ${thisNode}: install a newer Node, then run npm ci and npm start.`
  }
  if (!existsSync(at('node_modules/commander'))) {
    return `The packages of Lead Engine are not installed: run npm ci in ${fileURLToPath(at('.'))}, then start it again.`
  }
  return null
}

/** Returns what to do after an installation without the program that builds the web app, or null. */
export function missingAfterInstall() {
  const isOmitted = /\boptional\b/.test(process.env.npm_config_omit ?? '')
  if (isOmitted || !existsSync(at('node_modules/rolldown'))) return null
  const prefix = `binding-${process.platform}-${process.arch}`
  const bindings = existsSync(at('node_modules/@rolldown')) ? readdirSync(at('node_modules/@rolldown')) : []
  if (bindings.some((name) => name.startsWith(prefix))) return null
  return (
    `npm left out packages that do not support Node ${thisNode}: install Node 20.19, 22.12 or newer, then run npm ci and ` +
    'npm start.'
  )
}
