/** Checks the words of code, texts and docs: docs/writing.md. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, report, root } from './problems.ts'

/** Words that readers have to decode, as patterns of whole words, and what to write instead. */
const replaced: Record<string, string> = {
  'address(es)?': 'ip, url, email, or: IP address, web address, email address',
  alongside: 'a plain noun',
  anew: 'again',
  'begun|begins anew': 'started, or: matched by prefix',
  'deeds?': 'action',
  dialogue: 'ipc, or: conversation',
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
  'la(y|id|ys|ying) down': 'unpack, write',
  'made-up|made up': 'sample, invented, unknown',
  'mend(s|ed|ing)?': 'fix',
  'newcomers?': 'new user',
  oneself: 'yourself (the constant is selfActor)',
  nobody: 'no user, unassigned, nothing',
  'ought|shall|upon': 'must, on',
  patience: 'timeout (timeoutMs), deadline',
  'refus(al|als|e|es|ed|ing)': 'reject, answer 400, an HttpProblem',
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

/** Names and beginnings of comments in code, and what to write instead. */
const replacedInCode: [RegExp, string][] = [
  [/\b(most|longest)[A-Z]\w*|\b(const|let) (most|longest)\b/, 'a name with max and the unit: maxBytes, maxWaitMs'],
  [/\b\w*[uU]nderWay\b/, 'running'],
  [/(\/\/|\/?\*+) Of\b/, 'a sentence that begins with its subject or its verb'],
]

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
    'IconAddressBook(Off)?|check an address before they use it|\\|address\\||app\\.addresses|tradeindia|walk-in|packaging house|dialwhomnumber|postgres\\.gate|take turns|turns of the event loop|address already in use|listenAddress|remoteAddress|localAddress|addressinfo|replay-?refused|connection refused|in turn\\b|turns? (on|off|into|out)\\b',
  ].join('|'),
  'gi',
)

/** Their subject is how others write. */
const excluded =
  /^lint\/words\.ts|^test\/generated-payloads|^server\/intake\/lead-import\/real-files|^server\/(setup\/demo\/words|intake\/payload\/(recognition|structure|words)\/)/

const written = [
  '*.md',
  '{operations,server,web,test,lint,bench,bin,docs,decisions}/**/*.{ts,tsx,js,md,sql,html}',
  'clients/{*,*/*}.ts',
]
const patterns = Object.entries(replaced).map(([pattern, instead]) => ({ word: wholeWord(pattern), instead }))
const anyWord = wholeWord(Object.keys(replaced).join('|'))

report(
  globSync(written, { cwd: root })
    .filter((file) => !excluded.test(file))
    .flatMap(problemsIn),
)

function problemsIn(file: string): Problem[] {
  const inName = problemsOf(wordsOf(file)).map((message) => ({
    file,
    line: 1,
    message: `in the name of the file: ${message}`,
  }))
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const inLines = lines.flatMap((text, index) => {
    const messages = [...problemsOf(wordsOf(commentIn(file, text))), ...problemsOfCode(file, text)]
    const [outside] = cited.exec(text) ?? []
    if (outside)
      messages.push(`"${outside}" is not in the repository, and cannot be looked up: write the reason itself`)
    return messages.map((message) => ({ file, line: index + 1, message }))
  })
  return [...inName, ...inLines]
}

function problemsOf(text: string): string[] {
  if (!anyWord.test(text)) return []
  return patterns.flatMap(({ word, instead }) => {
    const [found] = word.exec(text) ?? []
    return found === undefined ? [] : [`"${found}": write ${instead} instead`]
  })
}

function problemsOfCode(file: string, line: string): string[] {
  if (!/\.tsx?$/.test(file)) return []
  return replacedInCode.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(line) ?? []
    return found === undefined ? [] : [`"${found}": write ${instead} instead`]
  })
}

function wholeWord(pattern: string): RegExp {
  return new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`)
}

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
