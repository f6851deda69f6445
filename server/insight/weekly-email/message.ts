import { msg, plural } from '@lingui/core/runtime-macro'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { Email, Link } from '../../platform/mail/email.ts'
import { rupees } from '../../platform/text/rupees.ts'
import { hello, howToChange, type Recipient } from '../../selling/notifications/messages.ts'
import type { OriginReport, UserFigures, UserReport } from '../reports/contract.ts'

export interface WeekFigures {
  byUser: UserReport
  bySource: OriginReport
  /** For Admins. */
  silent: { webhook_id: string; name: string; last_at: Date }[]
  rejecting: { webhook_id: string; name: string; rejected: number }[]
}

export const maxSources = 5
const maxUsers = 20
const maxWebhooks = 20

/** Each figure links to the page that lists what it counts, as in the report. */
export function weeklyEmail(
  { byUser, bySource, silent, rejecting }: WeekFigures,
  to: Recipient,
  baseUrl: string,
): Email {
  const { from_date, to_date, total } = byUser
  const say = (text: Text) => translate(text, to.language)
  const page = openPage(baseUrl)
  const figures = (row: Row, of: Narrowed = {}) =>
    figuresOf(row, { from_date, to_date }, of).map(
      ({ name, now, before, path, search }): Link => ({
        label: say(msg`${{ name }}: ${{ now: say(now) }} (${{ before: say(before) }})`),
        url: page(path, search),
      }),
    )
  const users = byUser.rows
    .filter(({ key, figures, before }) => key !== 'unknown' && (hasAny(figures) || hasAny(before)))
    .sort((one, other) => other.figures.leads - one.figures.leads || other.figures.won - one.figures.won)
  const sources = bySource.rows.flatMap(({ name, figures, before }) =>
    name !== null && (hasAny(figures) || hasAny(before)) ? { name, figures, before } : [],
  )
  const report = { label: say(msg`Open the report`), url: page('/reports', { from_date, to_date }) }
  const week = daysText(byUser, to.language)
  const { leads, won } = total.figures
  const problems = [
    ...silent.map(({ webhook_id, name, last_at }) => ({
      label: say(msg`${{ name }}: no deliveries since ${{ date: dayText(last_at, to.language) }}`),
      url: page(`/settings/webhooks/${webhook_id}`),
    })),
    ...rejecting.map(({ webhook_id, name, rejected }) => ({
      label: say(
        msg`${{ name }}: ${plural({ rejected }, { one: '{rejected} delivery rejected', other: '{rejected} deliveries rejected' })}`,
      ),
      url: page(`/settings/webhooks/${webhook_id}`, { tab: 'deliveries', outcome: 'rejected' }),
    })),
  ]
  const { overdue } = total.figures
  const attention = [
    ...problems.slice(0, maxWebhooks),
    ...(problems.length > maxWebhooks ? [{ label: say(msg`Open the overview`), url: page('/overview') }] : []),
    ...(overdue > 0
      ? [
          {
            label: say(plural({ overdue }, { one: '{overdue} call is overdue', other: '{overdue} calls are overdue' })),
            url: page('/leads', { follow_up: 'overdue' }),
          },
        ]
      : []),
  ]
  return {
    to: to.email,
    language: to.language,
    subject: say(
      msg`${{ week }}: ${plural({ leads }, { one: '{leads} new lead', other: '{leads} new leads' })}, ${{ won }} won`,
    ),
    before: [
      say(hello(to)),
      say(
        msg`These are the figures of ${{ week }}. Those of the week before, ${{ before: daysText(byUser.before, to.language) }}, are in parentheses.`,
      ),
      figures(total).map((figure) => [figure]),
      ...(attention.length > 0
        ? [[[say(msg`Figures may be wrong or incomplete:`)], ...attention.map((one) => [one])]]
        : []),
      say(msg`By user:`),
      ...users
        .slice(0, maxUsers)
        .map((row) => [[row.key === 'nobody' ? say(msg`Unassigned`) : row.name, ...figures(row, ofUser(row.key))]]),
      ...(users.length > maxUsers ? [[[{ ...report, label: say(msg`Show all users`) }]]] : []),
      say(msg`By source:`),
      ...sources.slice(0, maxSources).map((row) => [[row.name, ...figures(row, ofSource(row.name))]]),
    ],
    link: report,
    after: [say(howToChange)],
  }
}

type Search = Record<string, string>

const openPage =
  (baseUrl: string) =>
  (path: string, search: Search = {}) => {
    const url = new URL(path, baseUrl)
    url.search = new URLSearchParams(search).toString()
    return url.href
  }

type Figures = Pick<UserFigures, 'leads' | 'uncalled' | 'won' | 'won_value'> &
  Partial<Pick<UserFigures, 'first_call_median' | 'unreturned'>>

interface Row {
  figures: Figures
  before: Figures
}

/** Filters of the pages that list one row. */
interface Narrowed {
  leads?: Search
  uncalled?: Search
  calls?: Search
  closed?: Search
}

const ofUser = (key: string): Narrowed => ({
  leads: { first_owner: key },
  uncalled: { assigned_to: key },
  calls: { assigned_to: key },
  closed: { closed_by: key },
})
const ofSource = (source: string): Narrowed => ({ leads: { source }, uncalled: { source }, closed: { source } })

interface Column {
  of: keyof Figures
  name: Text
  path: string
  search: Search
  show?: (value: number) => Text
}

/** All of the total; of a row, those that are not 0 in both weeks. */
function figuresOf({ figures, before }: Row, days: { from_date: string; to_date: string }, of: Narrowed) {
  const isTotal = Object.keys(of).length === 0
  const won = {
    path: '/leads',
    search: { closed_from: days.from_date, closed_to: days.to_date, status: 'Won', ...of.closed },
  }
  const columns: Column[] = [
    { of: 'leads', name: msg`New leads`, path: '/leads', search: { ...days, ...of.leads } },
    {
      of: 'first_call_median',
      name: msg`Time to first call, median`,
      path: '/reports',
      search: { ...days, figures: 'first_call' },
      show: spanText,
    },
    {
      of: 'uncalled',
      name: msg`Uncalled leads`,
      path: '/leads',
      search: { ...days, ...of.uncalled, status: 'New', last_call: 'never' },
    },
    {
      of: 'unreturned',
      name: msg`Missed calls not called back`,
      path: '/calls',
      search: { ...days, ...of.calls, only: 'unreturned' },
    },
    { of: 'won', name: msg`Won leads`, ...won },
    { of: 'won_value', name: msg`Won value`, ...won, show: rupees.format },
  ]
  const text = (value: number | null | undefined, show: Column['show'] = numbers.format) =>
    value === null || value === undefined ? '–' : show(value)
  return columns
    .filter(({ of }) => figures[of] !== undefined && (isTotal || figures[of] || before[of]))
    .map(({ of, show, ...column }) => ({ ...column, now: text(figures[of], show), before: text(before[of], show) }))
}

const shown = ['leads', 'uncalled', 'unreturned', 'won'] as const
const hasAny = (figures: Figures) => shown.some((name) => (figures[name] ?? 0) > 0)

const numbers = new Intl.NumberFormat('en-IN')

/** As the report shows it: "45 s", "12 min", "3 h", "6 d". */
function spanText(seconds: number): Text {
  const [minutes, hours] = [seconds / 60, seconds / 3600]
  if (Math.round(seconds) < 60) return msg`${{ value: Math.round(seconds) }} s`
  if (Math.round(minutes) < 60) return msg`${{ value: Math.round(minutes) }} min`
  if (Math.round(hours) < 24) return msg`${{ value: Math.round(hours) }} h`
  return msg`${{ value: Math.round(hours / 24) }} d`
}

const dates = (language: Language | null, timeZone: string) =>
  new Intl.DateTimeFormat(language === null || language === 'en' ? 'en-GB' : `${language}-IN`, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  })

/** 16–22 Nov 2026 */
const daysText = ({ from_date, to_date }: { from_date: string; to_date: string }, language: Language | null) =>
  dates(language, 'UTC').formatRange(new Date(from_date), new Date(to_date))

const dayText = (at: Date, language: Language | null) => dates(language, 'Asia/Kolkata').format(at)
