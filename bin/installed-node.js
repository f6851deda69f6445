import { createRequire } from 'node:module'

/** Returns the path of the Node in the optional package for this machine, or null if it is not installed. */
export function installedNode() {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  try {
    return createRequire(import.meta.url).resolve(`${prefix}-${platform}-${arch}/bin/node`)
  } catch {
    return null
  }
}
