import { judge, labelledEnquiries, newTally } from '../test/judge-enquiries.ts'

/** How right enquiries are read: `npm run bench -- enquiries`. */
for (const [set, rows] of Map.groupBy(labelledEnquiries(), ({ set }) => set)) {
  const tally = newTally()
  const problems = rows.flatMap((row) => judge(row, tally).map((problem) => `  ${row.name}: ${problem}`))
  const figures = Object.entries(tally).map(([kind, { all, right }]) => {
    return `${kind} ${right}/${all} (${((100 * right) / Math.max(all, 1)).toFixed(1)}%)`
  })
  console.log(`${set}, ${rows.length} payloads: ${figures.join(', ')}`)
  console.log(problems.join('\n'))
}
