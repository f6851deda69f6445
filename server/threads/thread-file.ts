/** Returns the worker file beside a module, as TypeScript or compiled. */
export const threadFile = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl)
