import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Places } from './places.ts'

/** Folders that the unit hides from the service (ProtectHome, PrivateTmp). */
const hidden = ['/home', '/root', '/run/user', '/tmp', '/var/tmp']

export const isWithin = (folder: string, above: string) => `${normalize(folder)}/`.startsWith(`${normalize(above)}/`)

export const hiddenFolder = (folder: string): string | null => hidden.find((above) => isWithin(folder, above)) ?? null

/** Returns the values of a setting of a unit: `Environment`. */
function valuesOf(unit: string, name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** Returns what the lines `Environment=` of the unit set. They have no quotes. */
export function environmentOf(unit: string): Record<string, string> {
  const assignments = valuesOf(unit, 'Environment').flatMap((value) => value.split(' '))
  return Object.fromEntries(assignments.map((text) => text.split(/=(.*)/s).slice(0, 2)))
}

/** Returns the folder that systemd makes for the service: `/var/lib/lead-engine`. */
export const stateFolder = (unit: string) => stateFolders(unit)[0] ?? ''

const stateFolders = (unit: string) => valuesOf(unit, 'StateDirectory').map((name) => join('/var/lib', name))

/** Returns the folders that the service may write to, by its unit and what the operator added to it. */
export function writableFolders({ unit, unitFolders }: Places): string[] {
  const more = globSync(join(dirname(unitFolders), '*.conf')).sort()
  const texts = [unit, ...more].filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))
  let folders: string[] = []
  for (const value of texts.flatMap((text) => valuesOf(text, 'ReadWritePaths'))) {
    const paths = [...value.matchAll(/"((?:\\.|[^"])*)"|(\S+)/g)].map(([, quoted, plain]) =>
      (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').replace(/^[-+]+/, '').replaceAll('%%', '%'),
    )
    folders = paths.length === 0 ? [] : [...folders, ...paths]
  }
  return [...texts.flatMap(stateFolders), ...folders]
}

/**
 * Returns the part of the unit that lets the service write to these folders; null if there are none. The service waits for their disks.
 * A folder that is missing does not stop the unit: the service then says which it is.
 */
export function foldersPart(folders: string[]): string | null {
  if (folders.length === 0) return null
  const list = (prefix: string) => folders.map((folder) => quoted(`${prefix}${folder}`)).join(' ')
  return `# Written by lead-engine install, for the folders in /etc/lead-engine/environment.
[Unit]
RequiresMountsFor=${list('')}

[Service]
ReadWritePaths=${list('-')}
`
}

/**
 * Returns the part of the unit that lets the service listen on ports 80 and 443, for DOMAIN; null without it. In a user namespace of its own
 * (PrivateUsers), the capability would not count.
 */
export function portsPart(domain: string): string | null {
  if (domain === '') return null
  return `# Written by lead-engine install, for DOMAIN in /etc/lead-engine/environment.
[Service]
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no
`
}

function quoted(path: string): string {
  const escaped = path.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')
  return /[\s"'\\]/.test(path) ? `"${escaped}"` : escaped
}
