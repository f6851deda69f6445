import { Command } from 'commander'

/** What the service is made of takes half a second to load, which the other commands need not wait for. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service')
    .action(async () => (await import('./run-service.ts')).runService())
}
