import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryPreview } from '#contract/intake/payload'
import { type Mapping, previewQuery } from '../queries.ts'

/** Returns the preview of a delivery, or the last one while there is no newer. */
export function usePreview(deliveryId: string, mapping: Mapping) {
  const { data, isPlaceholderData, error, refetch } = useQuery(previewQuery(deliveryId, mapping))
  const [last, setLast] = useState<{ of: string; preview: DeliveryPreview } | null>(null)
  if (data && !isPlaceholderData && data !== last?.preview) setLast({ of: deliveryId, preview: data })
  const preview = data ?? (last?.of === deliveryId ? last.preview : undefined)
  return { preview, error, retry: () => void refetch() }
}
