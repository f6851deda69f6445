import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { stage } from '../release/stage.ts'
import { root } from './service.ts'

// In the checkout, so that the package finds the dependencies that it does not contain yet.
mkdirSync(join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist/release-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))
stage(folder)
const files = globSync('**', { cwd: folder, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

test('a release contains programs, migrations, the built web app and documents, and nothing for development', () => {
  const allowed = [
    /^(package|npm-shrinkwrap)\.json$/,
    /^(LICENSE|THIRD_PARTY_LICENSES|(README|CHANGELOG|ARCHITECTURE|CONTRIBUTING)\.md)$/,
    /^decisions\/[\w-]+\.md$/,
    /^bin\/[\w-]+\.js$/,
    /^(operations|server)\/([\w-]+\/)*[\w-]+\.js$/,
    /^server\/intake\/payload\/(recognition\/weights\.bin|words\/vocabulary\.json|enquiry\/technical-names\.json)$/,
    /^server\/intake\/payload\/senders\/[\w-]+\/(sender\.json|guide\.md|sample[\w-]*\.json)$/,
    /^server\/platform\/database\/(migrations|schema\/functions|schema\/policies)\/[\w-]+\.sql$/,
    /^dist\/web\//,
    /^languages\/hi\.po$/,
    /^deploy\/[\w.-]+$/i,
    /^docs\/.*\.(md|png)$/,
    /^docs\/rest\/programs\/[\w-]+\.(mjs|php|py|go)$/,
    /^docs\/rest\/lead-engine\.postman_collection\.json$/,
    /^deploy\/[\w-]+\.(yaml|json)$/,
  ]
  const unwanted = files.filter((file) => !allowed.some((pattern) => pattern.test(file)))
  assert.deepEqual(unwanted, [])
  assert.deepEqual(
    files.filter((file) => /\.test\.|test-worker|\.tsx?$|\.map$|^(test|bench|web|release)\//.test(file)),
    [],
  )
})

test('a release names the license of each library that it contains, also of those in the web app', () => {
  const text = readFileSync(join(folder, 'THIRD_PARTY_LICENSES'), 'utf8')
  const bundled = Object.entries<{ inBundle?: boolean }>(read('npm-shrinkwrap.json').packages)
    .filter(([path, { inBundle }]) => inBundle && existsSync(join(root, path)))
    .map(([path]) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')))
  assert.ok(bundled.length > 50)
  const inWebApp = [
    'react',
    'react-dom',
    '@mantine/core',
    '@fontsource-variable/inter',
    '@scalar/fastify-api-reference',
  ]
  for (const name of [...bundled.map(({ name, version }) => `${name} ${version}`), ...inWebApp])
    assert.ok(text.includes(`\n${name} `), name)
  assert.doesNotMatch(text, /\((undefined)?\)$/m)
  assert.match(text, /Permission is hereby granted, free of charge/)
})

test('a release contains each module, migration and worker of the service', () => {
  const modules = globSync('{operations,server}/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/test-worker\.ts$|^server\/platform\/web-app\/build/.test(file))
    .map((file) => file.replace(/\.ts$/, '.js'))
  const schema = globSync('server/platform/database/{migrations,schema}/**/*.sql', { cwd: root })
  for (const file of [...modules, ...schema, 'dist/web/index.html', 'dist/web/docs/index.html'])
    assert.ok(files.includes(file), file)
})

test('a release names exact versions, and checksums for the packages that npm adds', () => {
  const { packages } = read('npm-shrinkwrap.json')
  const { dependencies, optionalDependencies, devDependencies, bundleDependencies } = read('package.json')
  assert.equal(devDependencies, undefined)
  assert.deepEqual(bundleDependencies, Object.keys(manifest.dependencies))
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    const locked = packages[`node_modules/${name}`]
    assert.equal(locked.version, version, name)
    assert.match(locked.integrity, /^sha512-/, name)
  }
  for (const [path, locked] of Object.entries(packages as Record<string, { dev?: boolean }>))
    assert.ok(!locked.dev && !/node_modules\/(vite|react|typescript)$/.test(path), path)
})

test('the compiled service reads payloads of known and unknown senders', async () => {
  const { readPayloadSync } = await import(join(folder, 'server/intake/payload/reading.js'))
  const indiamart = read('server/intake/payload/senders/indiamart/sample.json').payload
  for (const [payload, name] of [
    [{ full_name: 'Asha Rao', mobile: '9820012345' }, 'Asha Rao'],
    [indiamart, indiamart.RESPONSE.SENDER_NAME],
  ]) {
    const body = Buffer.from(JSON.stringify(payload))
    const { reading } = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
    assert.equal(reading.lead.name, name)
  }
})

test('the compiled command runs', () => {
  const said = execFileSync(process.execPath, [join(folder, 'bin/lead-engine.js'), 'version', '--json'])
  const { gitHead } = read('package.json')
  assert.match(gitHead, /^[\da-f]{40}$/)
  assert.deepEqual(JSON.parse(said.toString()), {
    version: manifest.version,
    commit: gitHead.slice(0, 8),
    node: process.versions.node,
  })
  assert.ok(!existsSync(join(folder, 'operations/main.ts')))
})
