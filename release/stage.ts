import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { gitHead } from '../server/platform/program-version.ts'
import { thirdPartyLicenses } from './licenses.ts'

const root = join(import.meta.dirname, '..')

const copied = [
  ...['bin', 'deploy', 'dist/web', 'docs', 'decisions'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
]

/** Returns the files and folders that the package has beside the compiled server. */
export function copiedPaths(): string[] {
  const senders = 'server/intake/payload/senders/*/{sender.json,guide.md,sample*.json}'
  const weights = 'server/intake/payload/{recognition/weights,call/is-call}.bin'
  // English is in the code.
  const translations = 'languages/!(en).po'
  return [
    ...copied,
    ...globSync(['server/platform/database/{migrations,schema}/**/*.sql', senders, weights, translations], {
      cwd: root,
    }),
  ]
}

/** Writes the package without its dependencies into an empty folder. The web app must be built. */
export function stage(folder: string): void {
  compileServer(folder)
  for (const path of copiedPaths()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  const content = releaseManifest()
  writeJson(join(folder, 'package.json'), content)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap(content))
  writeFileSync(join(folder, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses())
}

function compileServer(folder: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(import.meta.dirname, 'tsconfig.json'), '--outDir', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

type ReleaseManifest = ReturnType<typeof releaseManifest>

/** The package contains its dependencies. npm adds the optional ones, which differ between machines. */
function releaseManifest() {
  const { name, version, description, license, type, bin, engines, scripts, allowScripts } = manifest
  const { dependencies, optionalDependencies } = manifest
  return {
    name,
    version,
    // A container is built without Git.
    gitHead: process.env.COMMIT?.trim() || gitHead || undefined,
    description,
    license,
    private: true,
    type,
    bin,
    engines,
    scripts: { prepare: scripts.prepare, start: scripts.start },
    allowScripts,
    dependencies,
    optionalDependencies,
    bundleDependencies: Object.keys(dependencies),
  }
}

interface Locked {
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

/** Returns the lock file without the packages for development: versions and checksums stay the same. */
function shrinkwrap(content: ReleaseManifest) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages = Object.entries(lock.packages as Record<string, Locked>)
    // The workspace of the tests and the link to it.
    .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
    // Those for development that are also optional are peers of a library, for functions that we do not use.
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path, locked]) => [path, locked.optional ? locked : { ...locked, inBundle: true }])
  return { ...lock, packages: { '': content, ...Object.fromEntries(packages) } }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Installs the dependencies, checked by the lock file, and removes the files of them that only developers need. */
export function addDependencies(folder: string): void {
  execFileSync('npm', ['ci', '--omit=optional', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const modules = join(folder, 'node_modules')
  const inPackages =
    '{test,tests,bench,benchmark,benchmarks,example,examples,.github,README.md,CHANGELOG.md,HISTORY.md}'
  const unused = globSync(
    [
      `**/node_modules/{*,@*/*}/${inPackages}`,
      '**/node_modules/**/*.{map,ts,mts,cts}',
      // Scripts for pages without a build.
      'node_modules/libphonenumber-js/bundle',
      // Lingui depends on them to read its configuration, for builds. npm wants the packages to be there.
      'node_modules/{jiti,jest-validate,@jest/*,@sinclair/*,pretty-format}/{dist,lib,build,compiler,value}',
    ],
    { cwd: folder },
  )
  for (const path of unused) rmSync(join(folder, path), { recursive: true, force: true })
  rmSync(join(modules, '.package-lock.json'))
}
