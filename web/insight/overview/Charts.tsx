import { plural, t } from '@lingui/core/macro'
import { leadStatuses } from '#contract/crm/leads'
import type { Overview } from '#contract/insight/overview'
import { callOutcomes } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { StatusBadge, statusColours } from '../../crm/leads/LeadBadges.tsx'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { formatNumber, formatShortMoney } from '../../platform/ui/numbers.ts'
import { Panel, Stack, Stacks } from '../../platform/ui/Panel.tsx'
import { CallOutcomeBadge, callOutcomeLooks } from '../../telephony/calls/CallBadges.tsx'
import { callOutcomeNames } from '../../telephony/calls/call-words.ts'
import { type Bar, Bars } from './Bars.tsx'
import { Columns } from './Columns.tsx'
import { monthName } from './month-name.ts'
import { type SpanUnit, toSpans, unitOf } from './spans.ts'

const accent = 'var(--mantine-primary-color-filled)'

/** Titles of the chart and of its panel. */
const leadTitles: Record<SpanUnit, [string, string]> = {
  day: [t`Leads per day`, t`Leads per day, by status`],
  week: [t`Leads per week`, t`Leads per week, by status`],
  month: [t`Leads per month`, t`Leads per month, by status`],
}
const callTitles: Record<SpanUnit, [string, string]> = {
  day: [t`Calls per day`, t`Calls per day, by outcome`],
  week: [t`Calls per week`, t`Calls per week, by outcome`],
  month: [t`Calls per month`, t`Calls per month, by outcome`],
}

export function Charts({ overview, days }: { overview: Overview; days: number }) {
  const { role } = useMe()
  const { leads, calls } = overview
  const unit = unitOf(leads.days)
  return (
    <Stacks>
      <Stack>
        <Panel title={leadTitles[unit][1]}>
          <Columns
            label={leadTitles[unit][0]}
            amountOf={(count) => plural(count, { one: '# lead', other: '# leads' })}
            to="/leads"
            spans={toSpans(leads.days.map((day) => ({ ...day, amounts: day.by_status })))}
            words={leadStatuses.map((word) => ({ word, name: statusNames[word], colour: statusColours[word] }))}
          />
        </Panel>
        <Panel title={t`Leads by status`}>
          <Bars
            label={t`Leads by status`}
            bars={statusBars(leads.by_status, days)}
            empty={t`No leads in this period.`}
          />
        </Panel>
        {Object.keys(overview.deals.by_status).length > 0 && (
          <Panel title={t`Deal value of new leads, by status`}>
            <Bars
              label={t`Deal value of new leads, by status`}
              bars={dealBars(overview, days)}
              empty={t`No deal values in this period.`}
            />
          </Panel>
        )}
        <Panel title={t`Leads by source`}>
          <Bars
            label={t`Leads by source`}
            bars={sourceBars(leads.by_source, days)}
            empty={t`No leads in this period.`}
          />
        </Panel>
        {overview.repeat_enquiries.total > 0 && (
          <Panel title={t`Repeat enquiries by source`}>
            <Bars label={t`Repeat enquiries by source`} bars={enquiryBars(overview)} empty={t`None in this period.`} />
          </Panel>
        )}
      </Stack>
      <Stack>
        <Panel title={callTitles[unit][1]}>
          <Columns
            label={callTitles[unit][0]}
            amountOf={(count) => plural(count, { one: '# call', other: '# calls' })}
            to="/calls"
            spans={toSpans(calls.days.map((day) => ({ ...day, amounts: day.by_outcome })))}
            words={callOutcomes.map((word) => ({
              word,
              name: callOutcomeNames[word],
              colour: callOutcomeLooks[word].colour,
            }))}
          />
        </Panel>
        <Panel title={t`Calls by outcome`}>
          <Bars
            label={t`Calls by outcome`}
            bars={outcomeBars(calls.by_outcome, days)}
            empty={t`No calls in this period.`}
          />
        </Panel>
        {overview.won_by_month.some(({ value }) => value > 0) && (
          <Panel title={t`Won value by month`}>
            <Bars label={t`Won value by month`} bars={monthBars(overview)} empty={t`None in this period.`} />
          </Panel>
        )}
        {role !== 'Agent' && (
          <>
            <Panel title={t`Leads by owner`}>
              <Bars label={t`Leads by owner`} bars={ownerBars(overview, days)} empty={t`No leads in this period.`} />
            </Panel>
            <Panel title={t`Calls by user`}>
              <Bars label={t`Calls by user`} bars={callerBars(overview, days)} empty={t`No calls in this period.`} />
            </Panel>
          </>
        )}
      </Stack>
    </Stacks>
  )
}

const statusBars = (amounts: Overview['leads']['by_status'], days: number): Bar[] =>
  leadStatuses.map((status) => ({
    key: status,
    name: <StatusBadge status={status} />,
    amount: amounts[status] ?? 0,
    text: formatNumber(amounts[status] ?? 0),
    colour: `var(--${statusColours[status]})`,
    target: { to: '/leads', search: { status: [status], days } },
  }))

const dealBars = ({ deals: { by_status } }: Overview, days: number): Bar[] =>
  leadStatuses.map((status) => ({
    key: status,
    name: <StatusBadge status={status} />,
    amount: by_status[status] ?? 0,
    text: formatShortMoney(by_status[status] ?? 0),
    colour: `var(--${statusColours[status]})`,
    target: { to: '/leads', search: { status: [status], days } },
  }))

/** Each opens the report of its month by source. */
const monthBars = ({ won_by_month, to_date }: Overview): Bar[] =>
  won_by_month.map(({ month, value }) => {
    const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
    const last = lastDay < to_date ? lastDay : to_date
    return {
      key: month,
      name: monthName(month),
      amount: value,
      text: formatShortMoney(value),
      colour: `var(--${statusColours.Won})`,
      target: { to: '/reports', search: { by: 'source', from_date: `${month}-01`, to_date: last } },
    }
  })

const outcomeBars = (amounts: Overview['calls']['by_outcome'], days: number): Bar[] =>
  callOutcomes.map((outcome) => ({
    key: outcome,
    name: <CallOutcomeBadge outcome={outcome} />,
    amount: amounts[outcome] ?? 0,
    text: formatNumber(amounts[outcome] ?? 0),
    colour: `var(--${callOutcomeLooks[outcome].colour})`,
    target: { to: '/calls', search: { outcome, days } },
  }))

/** If there are many sources, the server sums the smaller ones under this name, which is not a source to filter by. */
const others = 'Other'
const maxSources = 8

function sourceBars(amounts: Overview['leads']['by_source'], days: number): Bar[] {
  const sources = Object.entries(amounts)
  const isSum = (source: string) => source === others && sources.length >= maxSources
  return sources.map(([source, amount]) => ({
    key: source,
    name: isSum(source) ? t`Other sources` : source,
    amount,
    text: formatNumber(amount),
    colour: accent,
    target: isSum(source) ? undefined : { to: '/leads', search: { source: [source], days } },
  }))
}

/** By where the lead enquired again, which may not be the source of the lead. */
const enquiryBars = ({ repeat_enquiries }: Overview): Bar[] =>
  Object.entries(repeat_enquiries.by_source).map(([source, amount]) => ({
    key: source,
    name: source,
    amount,
    text: formatNumber(amount),
    colour: accent,
  }))

const ownerBars = ({ people, unassigned_leads }: Overview, days: number) =>
  personBars(
    [
      ...people.map(({ name, email, leads }) => ({ name, key: email, amount: leads })),
      { name: t`Unassigned`, key: 'nobody', amount: unassigned_leads },
    ],
    (email) => ({ to: '/leads', search: { assigned_to: [email], days } }),
  )

/** By who called or answered, not by who owns the lead now. */
const callerBars = ({ people, unknown_calls }: Overview, days: number) =>
  personBars(
    [
      ...people.map(({ name, email, calls }) => ({ name, key: email, amount: calls })),
      { name: t`Unknown or missed`, key: 'unknown', amount: unknown_calls },
    ],
    (email) => ({ to: '/calls', search: { called_by: email, days } }),
  )

const personBars = (
  people: Pick<Bar, 'name' | 'key' | 'amount'>[],
  target: (key: string) => NonNullable<Bar['target']>,
): Bar[] =>
  people
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)
    .map((person) => ({
      ...person,
      text: formatNumber(person.amount),
      colour: accent,
      target: target(person.key),
    }))
