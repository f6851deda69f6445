import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

interface Package {
  name: string
  version: string
  license?: string
  /** The form of old packages. */
  licenses?: { type: string }[]
  dependencies?: Record<string, string>
}

/** Returns the licenses of the libraries that the package contains: those of the server, and those in the files of the web app. */
export function thirdPartyLicenses(): string {
  const packages = new Map<string, Package>()
  const names = [...Object.keys(manifest.dependencies), ...importedByWebApp(), '@scalar/fastify-api-reference']
  for (const name of names) addPackage(packages, '', name)
  const byText = Map.groupBy(packages, ([path, read]) => licenseText(path) || `License: ${nameOfLicense(read)}`)
  const parts = [...byText].map(([text, found]) => {
    const heads = found.map(([, read]) => `${read.name} ${read.version} (${nameOfLicense(read)})`)
    return `${[...new Set(heads)].sort().join('\n')}\n\n${text.trim()}\n`
  })
  return `Libraries in this package, and their licenses.\n\n${parts.sort().join(`\n${'-'.repeat(80)}\n\n`)}`
}

const nameOfLicense = ({ license, licenses = [] }: Package) => license ?? licenses.map(({ type }) => type).join(' or ')

function importedByWebApp(): string[] {
  const texts = globSync('web/**/*.{ts,tsx,css}', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  return Object.keys(manifest.devDependencies).filter((name) =>
    texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)),
  )
}

/** Adds a package and what it depends on. Both are found as Node finds them. Optional packages that are not installed are left out. */
function addPackage(packages: Map<string, Package>, from: string, name: string): void {
  const path = `${from}node_modules/${name}`
  const read = readManifest(path)
  if (!read) {
    const above = from.slice(0, from.lastIndexOf('node_modules/', from.length - 1))
    if (from !== '') addPackage(packages, above, name)
    return
  }
  if (packages.has(path)) return
  packages.set(path, read)
  for (const dependency of Object.keys(read.dependencies ?? {})) addPackage(packages, `${path}/`, dependency)
}

function readManifest(path: string): Package | null {
  try {
    return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Package
  } catch {
    return null
  }
}

function licenseText(path: string): string {
  const files = readdirSync(join(root, path)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return files
    .sort()
    .map((name) => readFileSync(join(root, path, name), 'utf8').trim())
    .join('\n\n')
}
