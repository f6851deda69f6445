/** `npm run bench` measures throughput, `npm run bench -- recognition` how right recognition is. */
await import(process.argv[2] === 'recognition' ? './recognition.ts' : './throughput.ts')
