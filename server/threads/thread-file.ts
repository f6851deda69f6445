/** The worker beside the module that asks, whether it runs as TypeScript or was compiled. */
export const threadFile = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl)
