import { textOfKind, type WarningKind } from '#contract/intake/lead-import'
import type { ImportState } from './use-import.ts'

interface WarnedRow {
  line: number
  lead_id: string
  reason: string
  cells: string[]
}

/** Returns the rows with warnings by what these are about, the most frequent first. */
export function warnedByKind(warned: ImportState['warned']): { kind: WarningKind; all: WarnedRow[] }[] {
  const groups = new Map<WarningKind, WarnedRow[]>()
  for (const { line, lead_id, warnings, cells } of warned)
    for (const kind of new Set(warnings.map((warning) => warning.kind))) {
      const group = groups.get(kind) ?? []
      groups.set(kind, group)
      group.push({ line, lead_id, reason: textOfKind(warnings, kind), cells })
    }
  return [...groups].map(([kind, all]) => ({ kind, all })).sort((one, other) => other.all.length - one.all.length)
}
