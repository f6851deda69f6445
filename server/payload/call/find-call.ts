import type { Leaf } from '../structure/leaves.ts'
import type { CallParts } from './call-parts.ts'

export interface FoundCall {
  parts: CallParts
  customer: Leaf[]
  taken: Leaf[]
}

export function findCall(_leaves: readonly Leaf[], _isMapped: boolean): FoundCall | null {
  return null
}
