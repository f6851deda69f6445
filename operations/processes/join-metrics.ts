import { AggregatorRegistry } from 'prom-client'
import type { Metrics } from './ipc-messages.ts'

/**
 * Returns the metrics of several processes as one text. Each value has the name of its process as the label `worker`:
 * the sum of counters would fall when a worker is started again.
 */
export function joinMetrics(ofProcesses: readonly (readonly [name: string, metrics: Metrics])[]): Promise<string> {
  const labelled = ofProcesses.map(([worker, metrics]) =>
    metrics.map(({ values, ...metric }) => ({
      ...metric,
      // No two values have the same labels, so each sum has one term.
      aggregator: 'sum' as const,
      values: values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  )
  return AggregatorRegistry.aggregate(labelled).metrics()
}
