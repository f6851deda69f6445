import type { Role } from '#contract/access/account'

/** A user to invite, as it is typed. */
export interface Invitee {
  name: string
  email: string
  role: Role
  team: string
  phone: string
  extension: string
}

export const noInvitee: Invitee = { name: '', email: '', role: 'Agent', team: '', phone: '', extension: '' }

/** As many are invited at once. */
export const maxInvitees = 100

type Field = keyof Invitee | 'last name'

const roleWords: [RegExp, Role][] = [
  [/^(admin|administrator|owner|एडमिन)$/i, 'Admin'],
  [/^(manager|team ?lead(er)?|supervisor|मैनेजर)$/i, 'Manager'],
  [/^(agent|tele ?caller|caller|sales( executive)?|executive|एजेंट)$/i, 'Agent'],
]

const headings: [RegExp, Field][] = [
  [/^(full ?|first ?|user ?|employee ?)?name$|^नाम$/i, 'name'],
  [/^(last ?name|surname)$/i, 'last name'],
  [/^e-?mail( \w+)?$|^ईमेल$/i, 'email'],
  [/^(phone|mobile|whatsapp|contact)( ?(no\.?|number))?$|^(फ़ोन|मोबाइल)( नंबर)?$/i, 'phone'],
  [/^(role|designation)$|^भूमिका$/i, 'role'],
  [/^(team|group|branch|department)$|^टीम$/i, 'team'],
  [/^(ext\.?|extension)( ?(no\.?|number))?$|^एक्सटेंशन$/i, 'extension'],
]

const email = /[^\s<>()[\],;|"':]+@[^\s<>()[\],;|"':]+\.[^\s<>()[\],;|"':.]+/
const phone = /\+?\d(?:[\s().-]*\d){7,14}/
const extension = /^(?:ext(?:ension)?\.?|x)?\s*(\d{2,6})$/i

/**
 * Reads users from lines that are pasted from a sheet, an email or a chat: one of each line, with the parts in any order, or in that of
 * the first line if it names them. A cell with the name of one of `teams` is no surname.
 */
export function readInvitees(text: string, teams: string[]): Invitee[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\d]/u.test(line))
  const columns = cellsOf(lines[0] ?? '').map((cell) => find(headings, cell))
  const isHeading = columns.length > 1 && columns.every((field) => field !== undefined)
  return lines
    .slice(isHeading ? 1 : 0, maxInvitees + 1)
    .map((line) => (isHeading ? readColumns(cellsOf(line, true), columns as Field[]) : readLine(line, teams)))
}

const find = <T>(words: [RegExp, T][], cell: string) => words.find(([pattern]) => pattern.test(cell))?.[1]

function cellsOf(line: string, keepsEmpty = false): string[] {
  const separator = ['\t', ';', '|'].find((one) => line.includes(one)) ?? ','
  const cells = line.split(separator).map((cell) => cell.trim().replace(/^["'<(]+|["'>)]+$/g, ''))
  return keepsEmpty ? cells : cells.filter(Boolean)
}

function readColumns(cells: string[], columns: Field[]): Invitee {
  const of = (field: Field) => cells[columns.indexOf(field)]?.trim() ?? ''
  const read = { ...noInvitee, email: of('email'), phone: of('phone'), team: of('team'), extension: of('extension') }
  return named({ ...read, name: `${of('name')} ${of('last name')}`, role: find(roleWords, of('role')) ?? 'Agent' })
}

function readLine(line: string, teams: string[]): Invitee {
  const read = { ...noInvitee }
  const take = (pattern: RegExp, text: string, field: 'email' | 'phone') => {
    const found = pattern.exec(text)
    if (!found) return text
    read[field] = found[0]
    return text.replace(found[0], ' ')
  }
  // A list in a chat is numbered or has bullets.
  const rest = take(email, line.replace(/^(\d{1,3}[.)]|[-*•–])\s+/, '').replace(/\bmailto:/gi, ''), 'email')
  const names: string[] = []
  for (const cell of cellsOf(take(phone, rest, 'phone').replaceAll(/[<>()[\]]/g, ' '))) {
    const role = find(roleWords, cell)
    const line = extension.exec(cell)?.[1]
    const team = teams.find((one) => one.toLowerCase() === cell.toLowerCase())
    if (role) read.role = role
    else if (line) read.extension = line
    else if (team) read.team = team
    else if (!/[\p{L}]/u.test(cell)) continue
    // A first name and a surname in cells of their own; after a whole name comes the team.
    else if (names.length > 0 && names.join(' ').includes(' ')) read.team ||= cell
    else names.push(cell)
  }
  return named({ ...read, name: names.join(' ') })
}

/** Without a name, the email says one: ravi.kumar@ is Ravi Kumar. */
function named(read: Invitee): Invitee {
  const local = read.email.split('@')[0]!
  const words = local.split(/[._\d-]+/).filter(Boolean)
  const fallback = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ')
  const name = read.name.replaceAll(/\s+/g, ' ').replaceAll(/^[\s:–-]+|[\s:–-]+$/g, '')
  return { ...read, name: name || fallback }
}
