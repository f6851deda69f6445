/** Prints the test files that use the database of the run: they read TEST_SERVER, or import something that does. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

function usesDatabase(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  return text.includes('TEST_SERVER') || importsIn(text, file).some((imported) => usesDatabase(imported, seen))
}

function importsIn(text: string, file: string): string[] {
  const names = text.matchAll(/\b(?:from |import |import\()'((?:\.|#test\/)[^']+\.ts)'/g)
  return [...names].map(([, name = '']) =>
    name.startsWith('#') ? resolve('test', name.slice('#test/'.length)) : resolve(dirname(file), name),
  )
}

const files = globSync(['server/**/*.test.ts', 'test/**/*.test.ts', 'clients/*.test.ts']).sort()
for (const file of files) if (usesDatabase(resolve(file))) console.log(file)
