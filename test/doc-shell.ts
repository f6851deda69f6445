import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import manifest from '../package.json' with { type: 'json' }
import { callCommand } from './command-line.ts'
import type { Block } from './doc-blocks.ts'
import { running, userNode } from './doc-programs.ts'
import { root } from './service.ts'

/**
 * What a reader has in a terminal. `lead-engine` runs in this process, which is faster. What would change the checkout is checked by name
 * only, and packages are links to those that are installed.
 */
const prelude = `set -e -o pipefail
send() { printf '%s\\0' "$@" | curl -sS --fail-with-body --data-binary @- "$COMMANDS"; }
lead-engine() { send lead-engine "$@"; }
npm() { send npm "$@"; }
git() { :; }
npx() {
  case $1 in
    lead-engine) "$@" ;;
    vite) ;;
    openapi-typescript) node node_modules/openapi-typescript/bin/cli.js "\${@:2}" ;;
    tsc) node node_modules/typescript/bin/tsc "\${@:2}" ;;
    *) echo "npx $1 is not installed for the tests of the docs" >&2; return 1 ;;
  esac
}
`

/** Packages that pages install, and where this checkout has them. */
const packages = {
  'openapi-fetch': '',
  'openapi-typescript': 'clients',
  typescript: 'clients',
  '@types/node': '',
}

interface Pasted {
  folder: string
  /** Shell variables: URL, KEY and others that pages let the reader set. */
  variables: Record<string, string>
  /** The environment of the commands. */
  env: Record<string, string>
}

/** Pastes blocks into one shell, in their order, and returns what each printed. Fails with the block that fails. */
export async function paste(blocks: Block[], { folder, variables, env }: Pasted): Promise<string[]> {
  linkPackages(folder)
  const commands = createServer(async (request, response) => {
    const [program, ...args] = (await buffer(request)).toString().split('\0').slice(0, -1)
    const { status, out, err } = program === 'npm' ? checkNpm(args) : await callIn(folder, args, env)
    response.writeHead(status === 0 ? 200 : 400, { connection: 'close' }).end(out + err)
  })
  await new Promise<void>((resolve) => commands.listen(0, '127.0.0.1', resolve))
  const { port } = commands.address() as AddressInfo
  const marked = blocks.map(({ code }) => `${withoutVariables(code, variables)}\nprintf '\\036'`)
  writeFileSync(join(folder, 'pasted.sh'), `${prelude}${marked.join('\n')}\n`)
  const shell = running({
    command: ['bash', 'pasted.sh'],
    cwd: folder,
    env: { ...variables, COMMANDS: `http://127.0.0.1:${port}`, PATH: `${dirname(userNode)}:${process.env.PATH}` },
  })
  const status = await shell.ended
  commands.close()
  const printed = shell.said().split('\x1e')
  if (status !== 0) {
    const failed = blocks[printed.length - 1]!
    throw new Error(`${failed.at} fails when it is pasted:\n${failed.code}\n${printed.at(-1)}${shell.errors()}`)
  }
  return printed.slice(0, -1)
}

/** Leaves out what sets a variable that the shell has. */
function withoutVariables(code: string, variables: Record<string, string>): string {
  const names = Object.keys(variables).join('|')
  return code.replaceAll(new RegExp(`^(export )?(${names})=\\S+$`, 'gm'), '')
}

async function callIn(folder: string, args: string[], env: Record<string, string>) {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await callCommand(args, env)
  } finally {
    process.chdir(before)
  }
}

/** Whether `npm` knows what it is asked for: scripts, test files and packages that are linked. */
function checkNpm([command = '', ...args]: string[]) {
  const named = args.filter((arg) => !arg.startsWith('-'))
  const unknown = {
    ci: [],
    start: [],
    run: named.slice(0, 1).filter((name) => !(name in manifest.scripts)),
    test: named.filter((file) => !existsSync(join(root, file))),
    install: named.filter((name) => !(name.replace(/(?<=.)@\d.*/, '') in packages)),
  }[command] ?? [command]
  const err = unknown.map((name) => `npm ${command}: there is no ${name} in the tests of the docs\n`).join('')
  return { status: unknown.length === 0 ? 0 : 1, out: '', err }
}

function linkPackages(folder: string): void {
  if (existsSync(join(folder, 'node_modules'))) return
  for (const [name, workspace] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, workspace, 'node_modules', name), link)
  }
}
