import { Command } from 'commander'

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service')
    .action(async () => (await import('./run-service.ts')).runService())
}
