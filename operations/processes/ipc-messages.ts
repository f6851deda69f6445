import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** What a worker asks its primary process. */
export type ToPrimary =
  /** Counts a key of a rate limit for all workers: `CountedInMemory`. */
  | { count: { limit: string; seconds: number; key: string; group: string } }
  /** The metrics of all processes: a text. */
  | 'metrics of all'

/** What the primary process asks a worker: `Metrics` of its process. */
export type ToWorker = 'metrics'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]
