import { join } from 'node:path'

/** The user of the service, and the name of its unit. */
export const serviceName = 'lead-engine'

export type Places = ReturnType<typeof placesIn>

/** Where `install` puts things, below another root folder for an image of a machine. */
export function placesIn(root: string) {
  const at = (path: string) => join(root, path)
  return {
    root,
    at,
    /** Has a folder for each release, and the links to the current and the previous one. */
    programs: at('/opt/lead-engine'),
    settings: at('/etc/lead-engine/environment'),
    unit: at('/etc/systemd/system/lead-engine.service'),
    unitFolders: at('/etc/systemd/system/lead-engine.service.d/folders.conf'),
    unitPorts: at('/etc/systemd/system/lead-engine.service.d/ports.conf'),
    command: at('/usr/local/bin/lead-engine'),
  }
}
