import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { BadgeColour } from '../../platform/ui/Badge.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { dateLocale, formatIsoDate } from '../../platform/ui/time.ts'
import styles from './Columns.module.css'
import { axisMaximum, type Span, spanName } from './spans.ts'

interface Props<Word extends string> {
  /** "Leads per day" */
  label: string
  /** "12 leads" */
  amountOf(total: number): string
  to: '/leads' | '/calls'
  spans: Span<Word>[]
  /** From the bottom up. */
  words: readonly { word: Word; name: string; colour: BadgeColour }[]
}

/** "3 New, 1 Won" */
const parts = new Intl.ListFormat(dateLocale, { type: 'unit', style: 'short' })

/** Stacked columns by day or week. Each links to the list of its period. One Tab stop; the arrow keys move inside. */
export function Columns<Word extends string>({ label, amountOf, to, spans, words }: Props<Word>) {
  const list = useRef<HTMLOListElement>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const top = axisMaximum(Math.max(1, ...spans.map(({ total }) => total)))
  const last = spans.length - 1
  const tabStop = Math.min(focused ?? last, last)

  const move = (event: KeyboardEvent) => {
    const next = { ArrowRight: tabStop + 1, ArrowLeft: tabStop - 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    list.current?.querySelectorAll('a')[Math.max(0, Math.min(next, last))]?.focus()
  }
  const wordsIn = (span: Span<Word>) => words.filter(({ word }) => span.amounts[word])

  return (
    <div className={styles.chart}>
      <div className={styles.plot}>
        {[top, top / 2, 0].map((value) => (
          <div key={value} className={styles.line} style={{ bottom: `${(value / top) * 100}%` }} aria-hidden>
            <span>{formatNumber(value)}</span>
          </div>
        ))}
        <ol ref={list} className={styles.columns} aria-label={label} onMouseLeave={() => setShown(null)}>
          {spans.map((span, index) => (
            <li key={span.from_date} onMouseEnter={() => setShown(index)}>
              <Link
                to={to}
                search={{ from_date: span.from_date, to_date: span.to_date }}
                preload={false}
                tabIndex={index === tabStop ? 0 : -1}
                className={styles.column}
                data-shown={index === shown || undefined}
                aria-label={sentenceOf(span)}
                onKeyDown={move}
                onFocus={() => {
                  setFocused(index)
                  setShown(index)
                }}
                onBlur={() => setShown(null)}
              >
                {wordsIn(span).map(({ word, colour }) => (
                  <span
                    key={word}
                    className={styles.part}
                    style={{ height: `${(span.amounts[word]! / top) * 100}%`, background: `var(--${colour})` }}
                  />
                ))}
              </Link>
            </li>
          ))}
        </ol>
        {shown !== null && spans[shown] && tip(spans[shown], (shown + 0.5) / spans.length)}
      </div>
      <div className={styles.days} aria-hidden>
        {labelled(spans.length).map(({ index, end }) => (
          <span
            key={index}
            data-end={end}
            style={end ? undefined : { left: `${((index + 0.5) / spans.length) * 100}%` }}
          >
            {formatIsoDate(spans[index]!.from_date)}
          </span>
        ))}
      </div>
    </div>
  )

  function sentenceOf(span: Span<Word>) {
    const period = spanName(span)
    const total = amountOf(span.total)
    const amounts = parts.format(wordsIn(span).map(({ word, name }) => `${formatNumber(span.amounts[word]!)} ${name}`))
    return amounts ? t`${period}: ${total}. ${amounts}` : t`${period}: ${total}`
  }

  function tip(span: Span<Word>, at: number) {
    const side = at < 0.5 ? { left: `${at * 100}%` } : { right: `${(1 - at) * 100}%` }
    return (
      <div className={styles.tip} style={side} aria-hidden>
        <strong>{spanName(span)}</strong>
        <span>{amountOf(span.total)}</span>
        {wordsIn(span)
          .toReversed()
          .map(({ word, name, colour }) => (
            <span key={word} className={styles.key}>
              <i style={{ background: `var(--${colour})` }} />
              {name} {formatNumber(span.amounts[word]!)}
            </span>
          ))}
      </div>
    )
  }
}

/** Returns the columns that have a date label: all of at most seven, else the first, the middle and the last. */
function labelled(columns: number): { index: number; end?: 'first' | 'last' }[] {
  if (columns <= 7) return Array.from({ length: columns }, (_, index) => ({ index }))
  const last = columns - 1
  return [{ index: 0, end: 'first' }, { index: Math.floor(last / 2) }, { index: last, end: 'last' }]
}
