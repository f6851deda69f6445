import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Words that readers had to decode, as patterns of whole words, and what to write instead (docs/writing.md). */
const replaced: Record<string, string> = {
  'address(es)?': 'ip, url, email, or: IP address, web address, email address',
  alongside: 'a plain noun',
  anew: 'again',
  'begun|begins anew': 'started, or: matched by prefix',
  'deeds?': 'action',
  'doors?': 'route, endpoint',
  'dwell(s|ed)?': 'is in',
  fares: 'status, activity',
  'for good': 'permanently',
  'foresees?|foreseen|foresaw': 'preview, dry run',
  'gates?|at the gate': 'check',
  'gather(s|ed)?': 'collect',
  'heirs?': 'assignee, new owner',
  'hither|whence|thither': 'from, to',
  'house|keep house|housekeeping': 'service, or: cleanup',
  lately: 'recently',
  'made-up|made up': 'sample, invented, unknown',
  'mend(s|ed|ing)?': 'fix',
  'newcomers?': 'new user',
  oneself: 'yourself; the constant is selfActor',
  nobody: 'no user, unassigned, nothing',
  'ought|shall|upon': 'must, on',
  'refus(al|als|e|es|ed|ing)': 'reject, answer 400; an HttpProblem',
  standing: 'status',
  'sweeps?|swept': 'delete expired, delete old, cleanup',
  'takers?': 'the other lead, the new owner',
  'thereby|wherein|whereby': 'two sentences',
  'tells?|told|telling': 'notify, say, know',
  'trials?': 'dry run, preview',
  trade: 'domain',
  'whose turn|with turn|next turn|at turn': 'round robin, position',
  'walk(s|ed|ing)?': 'scan',
  'whoever|whomever|whom|of whom': 'who, the user who',
  'wish(es|ed)?': 'query, filter, wanted',
}

/** Nothing outside the repository may be cited, for nobody could look it up. */
const cited =
  /\bD\d{1,2}\b|\bspec \d|\bstyle \d\.\d|\bsections? \d+\.\d|\bdesign\.md|\bspecification\.md|\bdecisions\.md|\/work\//

/** Where these words stand for themselves: values and fields of the wire, and what libraries and standards call things. */
const standard = new RegExp(
  [
    ...['address', 'addresses', 'nobody', 'refused', 'sweep', 'trial'].map(
      (name) => `[.{,([/=?'"\`] ?${name}\\b|\\b${name}(?=['"\`]|\\??:|,| [},=])`,
    ),
    '(ipv?[46]?|ipv4-mapped|ipv4-mapped ipv6|e-?mail|web|mail|postal|street|remote|local|loopback|mac) ?address(es)?',
    'IconAddressBook(Off)?|check an address before they use it|\\|address\\||app\\.addresses|tradeindia|walk-in|packaging house|dialwhomnumber|postgres\\.gate|take turns|turns of the event loop|address already in use|remoteAddress|localAddress|addressinfo|replay-?refused|connection refused|in turn\\b|turns? (on|off|into|out)\\b',
  ].join('|'),
  'gi',
)

/** Their subject is how others write. */
const excluded = /^test\/(words\.test\.ts|[a-z-]*payloads\/)|^server\/(demo\/words|payload\/recognition\/)/

const root = join(import.meta.dirname, '..')
const written = [
  '*.md',
  '{server,web,test,bench,bin,docs,decisions}/**/*.{ts,tsx,js,md,sql,html}',
  'clients/{*,*/*}.ts',
]
const files = globSync(written, { cwd: root })
  .filter((file) => !excluded.test(file))
  .sort()

/** Lines of all files, and their names, as words: `whoIsAway` is `who is away`. */
const lines: { place: string; text: string; line?: string }[] = files.flatMap((file) => [
  { place: file, text: wordsOf(file) },
  ...readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line, index) => ({ place: `${file}:${index + 1}`, text: wordsOf(commentIn(file, line)), line })),
])

for (const [pattern, instead] of Object.entries(replaced)) {
  test(`no text says ${pattern}, but: ${instead}`, () => {
    const word = new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`)
    const found = lines.filter(({ text }) => word.test(text)).map(({ place }) => place)
    assert.deepEqual(found, [])
  })
}

test('nothing outside the repository is cited', () => {
  assert.deepEqual(
    lines.filter(({ line }) => line !== undefined && cited.test(line)).map(({ place }) => place),
    [],
  )
})

/** The statements of a migration are never edited. */
function commentIn(file: string, line: string): string {
  return file.endsWith('.sql') ? (/--.*/.exec(line)?.[0] ?? '') : line
}

/** Without names that have an underscore, which belong to the database or the wire and stay. */
function wordsOf(text: string): string {
  return text
    .replace(/\b[A-Za-z]+(_[A-Za-z0-9]+)+\b/g, '')
    .replace(standard, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
