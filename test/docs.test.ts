import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { copiedPaths } from '../release/stage.ts'

const root = join(import.meta.dirname, '..')
const packaged = copiedPaths()

const isPackaged = (path: string) => packaged.some((one) => path === one || path.startsWith(`${one}/`))

/** The id of a heading, as GitHub makes it. */
const slug = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\- _]/gu, '')
    .replaceAll(' ', '-')

function headingsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```.*?^```/gms, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))
}

for (const file of globSync(['*.md', '{docs,decisions}/**/*.md', '{operations,server,web}/**/*.md'], {
  cwd: root,
}).sort()) {
  const text = readFileSync(join(root, file), 'utf8')

  test(`every link of ${file} leads to a file, also in the package, and to a heading`, () => {
    for (const [, path = '', heading] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const target = path ? relative(root, join(root, dirname(file), path)) : file
      assert.ok(existsSync(join(root, target)), path)
      if (isPackaged(file)) assert.ok(isPackaged(target), `${path} is not in the package: see release/stage.ts`)
      if (heading) assert.ok(headingsOf(target).includes(heading), `${path}#${heading}: there is no such heading`)
    }
  })

  test(`every source file that ${file} names exists`, () => {
    for (const [, path] of text.matchAll(/`((?:operations|server|web|test|bench|docs)\/[\w./-]+\.\w+)`/g))
      assert.ok(existsSync(join(root, path!)), path!)
  })
}

test('every picture is on a page', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  for (const file of globSync('docs/pictures/*', { cwd: root }))
    assert.ok(
      pages.some((page) => page.includes(`pictures/${basename(file)})`)),
      file,
    )
})
