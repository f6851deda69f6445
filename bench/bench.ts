/** `npm run bench` measures throughput; `-- recognition` and `-- calls` how right payloads and events of calls are read. */
const programs: Record<string, string> = { recognition: './recognition.ts', calls: './calls.ts' }
await import(programs[process.argv[2] ?? ''] ?? './throughput.ts')
