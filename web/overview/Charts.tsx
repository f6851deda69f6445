import { callOutcomes } from '#contract/calls'
import { leadStatuses } from '#contract/leads'
import type { Overview } from '#contract/overview'
import { CallOutcomeBadge, callOutcomeLooks } from '../calls/CallBadges.tsx'
import { StatusBadge, statusColours } from '../leads/LeadBadges.tsx'
import { useMe } from '../me.ts'
import { formatCount, formatNumber } from '../ui/numbers.ts'
import { type Bar, Bars } from './Bars.tsx'
import { Columns } from './Columns.tsx'

import { Panel, Stack, Stacks } from './Panel.tsx'
import { areWeeks, spansOf } from './spans.ts'

const accent = 'var(--mantine-primary-color-filled)'

export function Charts({ overview, days }: { overview: Overview; days: number }) {
  const { role } = useMe()
  const { leads, calls, people } = overview
  const each = areWeeks(leads.days) ? 'week' : 'day'
  return (
    <Stacks>
      <Stack>
        <Panel title={`Leads a ${each}, by status`}>
          <Columns
            label={`Leads a ${each}`}
            thing="lead"
            to="/leads"
            spans={spansOf(leads.days.map((day) => ({ ...day, amounts: day.by_status })))}
            words={leadStatuses.map((word) => ({ word, colour: statusColours[word] }))}
          />
        </Panel>
        <Panel title="Leads by status">
          <Bars label="Leads by status" bars={statusBars(leads.by_status, days)} empty="No leads in these days." />
        </Panel>
        <Panel title="Leads by source">
          <Bars label="Leads by source" bars={sourceBars(leads.by_source, days)} empty="No leads in these days." />
        </Panel>
      </Stack>
      <Stack>
        <Panel title={`Calls a ${each}, by outcome`}>
          <Columns
            label={`Calls a ${each}`}
            thing="call"
            to="/calls"
            spans={spansOf(calls.days.map((day) => ({ ...day, amounts: day.by_outcome })))}
            words={callOutcomes.map((word) => ({ word, colour: callOutcomeLooks[word].colour }))}
          />
        </Panel>
        <Panel title="Calls by outcome">
          <Bars label="Calls by outcome" bars={outcomeBars(calls.by_outcome, days)} empty="No calls in these days." />
        </Panel>
        {role !== 'Agent' && (
          <Panel title="By person">
            <Bars label="By person" bars={personBars(people, days)} empty="No leads in these days." />
          </Panel>
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
    told: formatNumber(amounts[status] ?? 0),
    colour: `var(--${statusColours[status]})`,
    target: { to: '/leads', search: { status, days } },
  }))

const outcomeBars = (amounts: Overview['calls']['by_outcome'], days: number): Bar[] =>
  callOutcomes.map((outcome) => ({
    key: outcome,
    name: <CallOutcomeBadge outcome={outcome} />,
    amount: amounts[outcome] ?? 0,
    told: formatNumber(amounts[outcome] ?? 0),
    colour: `var(--${callOutcomeLooks[outcome].colour})`,
    target: { to: '/calls', search: { outcome, days } },
  }))

/** Rarer sources may stand together under this name, and then it is none to look for. */
const others = 'Other'
const mostSources = 8

function sourceBars(amounts: Overview['leads']['by_source'], days: number): Bar[] {
  const sources = Object.entries(amounts)
  const isFolded = (source: string) => source === others && sources.length >= mostSources
  return sources.map(([source, amount]) => ({
    key: source,
    name: isFolded(source) ? 'Other sources' : source,
    amount,
    told: formatNumber(amount),
    colour: accent,
    target: isFolded(source) ? undefined : { to: '/leads', search: { source, days } },
  }))
}

const personBars = (people: Overview['people'], days: number): Bar[] =>
  people.map(({ name, email, leads, calls }) => ({
    key: email ?? '',
    name: name ?? 'Nobody',
    amount: leads,
    told: `${formatCount(leads, 'lead')} · ${formatCount(calls, 'call')}`,
    colour: accent,
    target: { to: '/leads', search: { assigned_to: email ?? 'nobody', days } },
  }))
