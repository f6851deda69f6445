import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, User } from '../../access/account/users.ts'
import { rupeesIn } from '../../crm/leads/contract.ts'
import { readDuration } from '../../platform/http/parse-time.ts'
import { isBlank } from '../payload/structure/values.ts'
import { recogniseColumns } from './columns.ts'
import type { ImportField } from './contract.ts'
import type { ImportPlan } from './import-plan.ts'
import { callOutcomeNamed, callTypeNamed, priorityNamed, statusNamed } from './known-values.ts'
import { readRow } from './read-row.ts'
import { chooseDateOrder, noteDateSigns, readCellTime } from './read-time.ts'
import { rowReader } from './row-draft.ts'

/**
 * Files of other systems: where their column names were found, and of each column what a cell holds and which field it is. The rows are
 * generated, and dirty.
 */
const files: Record<string, { from: string; columns: string }> = {
  'Google Contacts': {
    from: 'the header of "Google CSV", as tests of public address books have it',
    columns: `
      First Name | first | first_name
      Middle Name | last | first_name
      Last Name | last | last_name
      Nickname | word | answer
      File As | word | answer
      Organization Name | company | company
      Organization Title | word | answer
      Birthday | past | answer
      Notes | notes | notes
      Labels | labels | tags
      E-mail 1 - Label | word | answer
      E-mail 1 - Value | emails | email
      E-mail 2 - Label | word | answer
      E-mail 2 - Value | email | email
      Phone 1 - Label | word | answer
      Phone 1 - Value | phones | phone
      Phone 2 - Label | word | answer
      Phone 2 - Value | phone | phone
      Address 1 - City | city | city
      Website 1 - Value | url | answer`,
  },
  Outlook: {
    from: 'the header of "Outlook CSV", as public exporters of address books write it',
    columns: `
      First Name | first | first_name
      Middle Name | last | first_name
      Last Name | last | last_name
      Title | word | answer
      Birthday | past | answer
      Notes | notes | notes
      E-mail Address | email | email
      E-mail 2 Address | email | email
      Home Phone | phone | phone
      Home Phone 2 | phone | phone
      Mobile Phone | phone | phone
      Home Fax | phone | answer
      Spouse | name | answer
      Business Phone | phone | phone
      Company | company | company
      Job Title | word | answer
      Business City | city | city
      Hobby | word | answer
      Priority | priority | priority
      Categories | tags | tags`,
  },
  IndiaMART: {
    from: 'fields of the Lead Manager Pull API, as public scripts write them to a sheet',
    columns: `
      UNIQUE_QUERY_ID | id | lead_id
      QUERY_TYPE | word | ignore
      QUERY_TIME | past | created_at
      SENDER_NAME | name | name
      SENDER_MOBILE | phone | phone
      SENDER_EMAIL | email | email
      SUBJECT | word | answer
      SENDER_COMPANY | company | company
      SENDER_ADDRESS | word | answer
      SENDER_CITY | city | city
      SENDER_STATE | word | answer
      SENDER_MOBILE_ALT | phone | phone
      SENDER_EMAIL_ALT | email | email
      QUERY_PRODUCT_NAME | word | product
      QUERY_MESSAGE | notes | notes
      QUERY_MCAT_NAME | word | answer`,
  },
  Justdial: {
    from: 'fields of the API integration document of Justdial, as public receivers list them',
    columns: `
      leadid | id | lead_id
      leadtype | word | answer
      prefix | word | answer
      name | name | name
      mobile | phone | phone
      phone | phone | phone
      email | email | email
      date | day | created_at
      category | word | answer
      city | city | city
      area | word | answer
      dncmobile | yes | do_not_call
      company | company | company
      pincode | word | answer
      time | clock | created_at`,
  },
  'Meta lead ads': {
    from: 'the header of the connection to Google Sheets, as a public parser has it',
    columns: `
      id | id | ignore
      created_time | past | created_at
      ad_id | id | ad_id
      ad_name | word | ad
      adset_name | word | ad_set
      campaign_name | word | campaign
      form_name | word | form
      is_organic | no | ignore
      platform | word | source
      first_name | first | first_name
      phone | phone | phone
      email | email | email
      lead_status | status | status`,
  },
  'Pipedrive, deals': {
    from: 'the column names of deals in public readers of the export',
    columns: `
      Deal - Title | word | answer
      Deal - Deal created | past | created_at
      Deal - Value | amount | deal_value
      Deal - Owner | owner | assigned_to
      Deal - Stage | status | status
      Deal - Lost reason | reason | lost_reason
      Deal - Next activity date | future | call_again_at
      Deal - Last activity date | past | answer
      Person - Name | name | name
      Person - Email - Work | email | email
      Person - Email - Home | email | email
      Person - Phone - Work | phone | phone
      Person - Phone - Mobile | phone | phone
      Deal - Lead Source | source | source
      Deal - Product | word | product`,
  },
  'Zoho CRM, leads': {
    from: 'standard fields of the module Leads in the API documentation',
    columns: `
      Lead Owner | owner | assigned_to
      First Name | first | first_name
      Last Name | last | last_name
      Company | company | company
      Lead Source | source | source
      Annual Revenue | amount | answer
      Phone | phone | phone
      Mobile | phone | phone
      Email | email | email
      Secondary Email | email | email
      Lead Status | status | status
      Rating | priority | priority
      Street | word | answer
      City | city | city
      Description | notes | notes
      Created Time | past | created_at
      Modified Time | past | updated_at
      Lost Reason | reason | lost_reason
      Next Follow Up | future | call_again_at`,
  },
  'HubSpot, contacts': {
    from: 'default contact properties in the knowledge base, by their labels',
    columns: `
      Record ID | id | ignore
      First Name | first | first_name
      Last Name | last | last_name
      Email | email | email
      Phone Number | phone | phone
      Mobile Phone Number | phone | phone
      Company Name | company | company
      Job Title | word | answer
      City | city | city
      Lead Status | status | status
      Contact owner | owner | assigned_to
      Original Source | source | source
      Create Date | past | created_at
      Last Modified Date | past | updated_at
      Next Activity Date | future | call_again_at
      Last Activity Date | past | answer
      Date of birth | past | answer`,
  },
  'Exotel, calls': {
    from: 'fields of the Bulk Call Details API',
    columns: `
      Sid | id | ignore
      DateCreated | past | called_at
      To | to | call_to
      From | from | call_from
      Status | outcome | call_outcome
      StartTime | past | called_at
      Duration | seconds | call_duration
      Price | amount | call_notes
      Direction | direction | call_type
      RecordingUrl | url | call_notes`,
  },
  'Callyzer, call history': {
    from: 'fields of the call log in the developer documentation',
    columns: `
      emp_name | owner | assigned_to
      emp_number | line | call_notes
      client_name | name | name
      client_number | phone | phone
      duration | seconds | call_duration
      call_type | direction | call_type
      call_date | day | called_at
      call_time | clock | called_at
      note | notes | call_notes
      call_recording_url | url | call_notes`,
  },
  'FreePBX, CDR': {
    from: 'the header of the CSV export of the module CDR Reports',
    columns: `
      calldate | past | called_at
      clid | word | call_notes
      src | from | call_from
      dst | to | call_to
      dcontext | context | call_notes
      duration | seconds | call_duration
      billsec | seconds | call_duration
      disposition | outcome | call_outcome
      uniqueid | id | call_notes
      did | line | call_notes
      recordingfile | word | call_notes`,
  },
  'SMS Backup & Restore, call log': {
    from: 'call_log.csv in the description of a public exporter',
    columns: `
      Call Date (timestamp) | millis | called_at
      Call date | past | called_at
      Call type | direction | call_type
      Caller name | name | name
      Caller # | phone | phone
      Call duration (s) | seconds | call_duration
      Call Id # | id | ignore`,
  },
}

const columnsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | ') as [name: string, content: string, field: ImportField])

/** The same numbers in each run. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const line = '+912248931234'
const pad = (n: number) => String(n).padStart(2, '0')

function generator(random: () => number) {
  const int = (max: number) => Math.floor(random() * max)
  const one = <T>(all: readonly T[]) => all[int(all.length)]!
  const digits = (n: number) => Array.from({ length: n }, () => int(10)).join('')
  const mobile = () => `9${one(['8', '9', '7'])}${digits(8)}`
  const phone = () => {
    const number = mobile()
    return one([
      number,
      `+91 ${number.slice(0, 5)} ${number.slice(5)}`,
      `0${number}`,
      `91-${number}`,
      `${number} (WhatsApp)`,
      `${number} / ${mobile()}`,
      '12',
      'N/A',
    ])
  }
  const email = () =>
    one([
      `p${digits(6)}@example.com`,
      ` P${digits(6)}@Example.com `,
      'broken@',
      'none',
      `Ravi <r${digits(6)}@example.com>`,
    ])
  const first = () => one(['Asha', 'आशा', 'Mohammed', 'Ravi', '"Nina"', "D'Souza", 'Dr. Meera', 'Zoë'])
  const last = () => one(['Rao', 'शर्मा', 'Ali Khan', 'Pinto', 'K.', 'Null', 'da Silva'])
  const date = () => `${pad(1 + int(28))}/${pad(1 + int(12))}/${2019 + int(7)}`
  const clock = () => `${pad(int(24))}:${pad(int(60))}:${pad(int(60))}`
  const word = () =>
    one([
      `Ward ${digits(3)}`,
      `x-${digits(4)}`,
      'Néw Delhi',
      `टिप्पणी ${digits(2)}`,
      `"quoted" ${digits(3)}`,
      '=1+1',
      `two\nlines ${digits(3)}`,
    ])
  const makers: Record<string, () => string> = {
    first,
    last,
    name: () => one([`${first()} ${last()}`, first(), '(Unknown)', `Caller ${digits(3)}`]),
    phone,
    phones: () => one([`${mobile()} ::: ${mobile()}`, phone()]),
    email,
    emails: () => one([`a${digits(5)}@example.com ::: b${digits(5)}@example.com`, email()]),
    company: () => one([`Rao ${digits(3)} Traders`, `M/s. ${digits(3)} & Sons`, '-']),
    city: () => one(['Pune', 'पुणे', 'Navi Mumbai', 'N/A']),
    source: () => one(['Facebook', 'facebook', 'Fair 2026', 'JD']),
    status: () => one(['New', 'Contacted', 'Won', 'Lost', 'Junk Lead', 'RNR', `Stage ${digits(2)}`, 'नया']),
    priority: () => one(['High', 'Low', 'Hot', 'Normal', `P-${digits(2)}`]),
    tags: () => one(['vip', 'a; b', '"x, y"; z']),
    labels: () => one(['* myContacts', '* myContacts ::: Clients', 'Clients ::: * starred']),
    amount: () => one(['125000', '₹1,25,000', '50-60 lakh', '1.25 cr', 'ask', '₹ 9,999/-']),
    notes: () => one([`Call ${digits(4)}`, `लंबा ${digits(4)}`, 'x'.repeat(50), `multi\nline ${digits(4)}`]),
    owner: () => one(['Priya Nair', 'priya@example.com', 'Priya', 'Suresh (left)', 'Amit', 'bela@elsewhere.example']),
    past: () => one([`${date()} ${clock()}`, date(), '31/02/2025', 'soon', `2024-03-${pad(1 + int(28))} ${clock()}`]),
    future: () => one([`${pad(1 + int(28))}/01/2027`, date(), 'tomorrow', '01/01/2099']),
    day: () => one([date(), `2024-03-${pad(1 + int(28))}`, '2024-03-05 00:00:00']),
    clock,
    millis: () => String(1_600_000_000_000 + int(100_000_000) * 1000),
    direction: () => one(['Incoming', 'Outgoing', 'Missed', 'inbound', 'outbound-dial', 'Rejected']),
    outcome: () => one(['completed', 'busy', 'no-answer', 'ANSWERED', 'NO ANSWER', 'FAILED', 'Interested']),
    seconds: () => one(['0', String(int(900)), `00:0${int(9)}:${pad(int(60))}`, 'N/A', 'long']),
    reason: () => one(['Too expensive', 'too expensive', `Reason ${digits(2)}`]),
    word,
    id: () => `39${digits(12)}`,
    url: () => `https://files.example.com/${digits(8)}.mp3`,
    yes: () => one(['yes', '1', 'no', '0']),
    no: () => one(['true', 'false']),
    line: () => line,
    context: () => one(['from-internal', 'from-trunk', 'ext-queues']),
    from: mobile,
    to: () => line,
  }
  return (columns: [string, string, ImportField][]): string[] => {
    const isOut = random() < 0.5
    return columns.map(([, content]) => {
      if (content === 'direction' && columns.some(([, other]) => other === 'from'))
        return isOut ? 'outbound-dial' : 'inbound'
      if (content === 'context') return isOut ? 'from-internal' : 'from-trunk'
      if (content === 'from' || content === 'to')
        return (content === 'to') === isOut ? mobile() : one([line, content === 'from' ? '201' : line])
      const isEmpty = random() < (/^(name|first|phone|client|past|millis|day)$/.test(content) ? 0.05 : 0.2)
      const text = isEmpty ? '' : makers[content]!()
      return random() < 0.1 ? ` ${text}  ` : text
    })
  }
}

const user = (id: string, name: string, email: string, active = true) => ({ id, name, email, active }) as User
const account = {
  id: 'a',
  country: 'IN',
  lostReasons: ['Too expensive'],
  users: [
    user('1', 'Priya Nair', 'priya@example.com'),
    user('2', 'Amit Shah', 'amit@example.com'),
    user('3', 'Amit Rao', 'amit.rao@example.com'),
    user('4', 'Suresh', 'suresh@example.com', false),
  ],
} as unknown as Account
const now = new Date('2026-11-30T00:00:00Z')

function readFile(columns: [string, string, ImportField][], cells: string[][]) {
  const names = columns.map(([name]) => name)
  const rows = cells.map((row, at) => ({ line: at + 2, cells: row }))
  const dates = names.map((_, index) => {
    const signs = { dayFirst: false, monthFirst: false, ambiguous: false }
    for (const row of cells) noteDateSigns(signs, row[index]!)
    return signs
  })
  const recognised = recogniseColumns({ names, rows: rows.slice(0, 50), country: 'IN', withMigrated: true })
  const plan = {
    columns: recognised,
    own: [line],
    chosen: new Map(),
    account,
    actor: { account_id: 'a', sees: 'all' },
    assignment: { byRules: false, otherwise: null },
    sender: 'test',
    source: 'CSV import',
    tags: [],
    now,
  } as unknown as ImportPlan
  const read = rowReader({ columns: recognised, dates, country: 'IN', now, own: [line], separator: ',' })
  const orders = dates.map(chooseDateOrder)
  return {
    recognised,
    rows: rows.map((row) => {
      const draft = read(row)
      return { row, draft, read: readRow(plan, draft) }
    }),
    orders,
  }
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
const tail = (text: string) => text.replace(/\D/g, '').slice(-10)

for (const [name, { from, columns: text }] of Object.entries(files)) {
  const columns = columnsOf(text)
  const make = generator(randomOf(name.length * 7919))
  const cells = Array.from({ length: 500 }, () => make(columns))
  const { recognised, rows, orders } = readFile(columns, cells)

  test(`${name} (${from}): each column is recognised`, () => {
    assert.deepEqual(
      recognised.map(({ name: column, field }) => [column, field]),
      columns.map(([column, , field]) => [column, field]),
    )
  })

  test(`${name}: nothing of 500 dirty rows vanishes`, () => {
    const lost: string[] = []
    const count = { accepted: 0, rejected: 0, warned: 0, answers: 0, calls: 0 }
    for (const { row, draft, read } of rows) {
      if ('problem' in read) {
        // The file of rejected rows has all its cells.
        assert.ok(read.problem.length > 0)
        count.rejected++
        continue
      }
      const { given, contacts = [], enquiry } = read.submission
      count.accepted++
      if (read.warnings.length > 0) count.warned++
      if (draft.call) count.calls++
      count.answers += enquiry?.answers.length ?? 0
      const said = plain(
        JSON.stringify([given, contacts, enquiry, draft.call, read.warnings, read.followUp])
          .replaceAll('\\n', ' ')
          .replaceAll('\\"', ''),
      )
      const numbers = JSON.stringify([given.phone, contacts, given.notes, draft.call?.notes, enquiry]).replace(
        /[^\d"]/g,
        '',
      )
      const times = [draft.created_at, draft.updated_at, draft.call?.called_at, draft.call_again_at].map((at) =>
        at?.getTime(),
      )
      const isSaid = (cell: string, field: ImportField, at: number): boolean => {
        if (said.includes(plain(cell))) return true
        if (field === 'phone' || field === 'call_from' || field === 'call_to')
          return cell.split('/').every((part) => numbers.includes(tail(part)))
        if (/_at$/.test(field)) {
          const time = readCellTime(cell, orders[at])
          const isClock = /^\d\d:\d\d:\d\d$/.test(cell) && times.some((one) => one && istClock(one) === cell)
          const isDay = time && times.some((one) => one && istDay(one) === istDay(time.getTime()))
          return isClock || Boolean(isDay)
        }
        // Whose it is, too.
        if (field === 'email') return cell.split(/[^\p{L}\p{N}\p{M}]+/u).every((word) => said.includes(plain(word)))
        if (field === 'status') return statusNamed(cell) === given.status
        if (field === 'priority') return priorityNamed(cell) === given.priority
        if (field === 'deal_value') return rupeesIn(cell) === given.deal_value
        if (field === 'assigned_to') return given.assigned_to !== undefined
        if (field === 'do_not_call') return /^(no|0)$/.test(cell) || enquiry?.consent?.do_not_call !== undefined
        if (field === 'call_type')
          return draft.call !== null && (callTypeNamed(cell) === draft.call.call_type || cell === 'outbound-dial')
        if (field === 'call_outcome') return callOutcomeNamed(cell) === draft.call?.outcome
        if (field === 'call_duration') return readDuration(cell) === draft.call?.duration_seconds
        return false
      }
      for (const [at, { name: column, field }] of recognised.entries()) {
        // The preview names columns that are left out, with the reason.
        if (field === 'ignore') continue
        for (const part of row.cells[at]!.split(' ::: ')) {
          const cell = part.trim()
          if (isBlank(cell.replace(/^\((.*)\)$/, '$1')) || plain(cell) === '' || cell === '* myContacts') continue
          if (!isSaid(cell, field, at)) lost.push(`line ${row.line}, ${column} (${field}): ${cell}`)
        }
      }
    }
    if (process.env.SHOW) console.log(name, JSON.stringify(count), 'lost', lost.length)
    assert.deepEqual(lost.slice(0, 10), [])
    assert.ok(count.accepted > 250, `${count.accepted} of 500 rows came in`)
  })
}

const istDay = (time: number) => new Date(time + 330 * 60_000).toISOString().slice(0, 10)
const istClock = (time: number) => new Date(time + 330 * 60_000).toISOString().slice(11, 19)
