import { t } from '@lingui/core/macro'

/** From Monday, which is 1. */
export const weekdays = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`]

/** Writes the minute of a day: 09:05. */
export const timeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
