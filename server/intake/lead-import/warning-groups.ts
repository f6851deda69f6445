import { type RowWarning, textOfKind, type WarningGroup, type WarningKind, warningKinds } from './contract.ts'

const maxExamples = 5

/** Groups the warnings of rows by their kinds. */
export function warningGroups() {
  const groups = new Map<WarningKind, WarningGroup>()
  return {
    add(line: number, warnings: readonly RowWarning[]): void {
      for (const kind of new Set(warnings.map((warning) => warning.kind))) {
        const group = groups.get(kind) ?? { kind, rows: 0, examples: [] }
        groups.set(kind, group)
        group.rows++
        const text = textOfKind(warnings, kind)
        if (group.examples.length < maxExamples) group.examples.push({ line, text })
      }
    },
    result: (): WarningGroup[] => warningKinds.flatMap((kind) => groups.get(kind) ?? []),
  }
}
