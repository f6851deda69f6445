import { Command } from 'commander'

/** The service takes half a second to load, so other commands do not load it. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service')
    .action(async () => (await import('./run-service.ts')).runService())
}
