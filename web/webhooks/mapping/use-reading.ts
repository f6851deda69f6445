import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reading } from '#contract/payload'
import { type Mapping, readingQuery } from '../queries.ts'

/** A delivery as it is read; while it cannot be read anew, as it was read last. */
export function useReading(deliveryId: string, mapping: Mapping) {
  const { data, isPlaceholderData, error, refetch } = useQuery(readingQuery(deliveryId, mapping))
  const [last, setLast] = useState<{ of: string; reading: Reading } | null>(null)
  if (data && !isPlaceholderData && data !== last?.reading) setLast({ of: deliveryId, reading: data })
  const reading = data ?? (last?.of === deliveryId ? last.reading : undefined)
  return { reading, error, retry: () => void refetch() }
}
