import { Command } from 'commander'

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service')
    .option('--no-key', 'make no API key at the first start, for example if the output is kept in a log')
    .action(async ({ key }) => (await import('./run-service.ts')).runService({ printsKey: key }))
}
