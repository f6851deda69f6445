/** Checks that each function and policy of the database is defined once, in its file: CONTRIBUTING.md, "Change the schema". */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Problem, report, root } from './problems.ts'

const problems: Problem[] = []
const defined = new Map<string, string>()
for (const file of globSync('server/platform/database/{migrations,schema}/**/*.sql', { cwd: root }).sort()) {
  const text = readFileSync(join(root, file), 'utf8')
  const isMigration = file.startsWith('server/platform/database/migrations/')
  for (const { 1: words = '', 2: kind = '', 3: name = '', index } of text.matchAll(
    /^(create|create or replace) (function|policy) (\w+(?: on \w+)?)/gm,
  )) {
    const problem = (message: string) => problems.push({ file, line: text.slice(0, index).split('\n').length, message })
    const first = defined.get(`${kind} ${name}`)
    if (isMigration) problem(`define the ${kind} ${name} in server/platform/database/schema/`)
    else if (first) problem(`define the ${kind} ${name} once: it is in ${first} too`)
    else if (kind === 'function' && `${name}.sql` !== basename(file))
      problem(`move the function ${name} to ${name}.sql`)
    else if (kind === 'function' && words === 'create') problem('write "create or replace": the file is applied again')
    else if (kind === 'policy' && !text.includes(`drop policy if exists ${name};`))
      problem(`write "drop policy if exists ${name};" before it: the file is applied again`)
    defined.set(`${kind} ${name}`, file)
  }
}
report(problems)
