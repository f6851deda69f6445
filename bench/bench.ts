/** `npm run bench` measures throughput; `-- recognition`, `-- calls` and `-- enquiries` how right payloads are read. */
const programs: Record<string, string> = {
  recognition: './recognition.ts',
  calls: './calls.ts',
  enquiries: './enquiries.ts',
}
await import(programs[process.argv[2] ?? ''] ?? './throughput.ts')
