import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { setSuspended } from '../../server/access/account/suspension.ts'
import { asOwner } from '../../server/platform/database/connect.ts'
import { openInterrupted } from '../accounts/close-account.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { accountWith, findAccountWith } from './actors.ts'
import { dataFolders, withInstallation, withOwner } from './open.ts'
import { command, count, group, print, table } from './output.ts'
import { showSteps } from './progress.ts'
import { checkedText } from './setup.ts'

// What exports and restores is loaded when it is needed: other commands start sooner without it.
export function accountCommand(): Command {
  return group('account', 'the accounts of this installation, one by one')
    .addCommand(
      command('list', 'list accounts, with what they have and whether they are suspended').action(async (options) => {
        const { listAccounts } = await import('../accounts/list-accounts.ts')
        const accounts = await withOwner(({ owner }) => asOwner(owner, listAccounts))
        print(options, accounts, (rows) =>
          table(rows, 'There are no accounts yet. Create the first with: lead-engine setup …'),
        )
      }),
    )
    .addCommand(
      command(
        'suspend',
        'suspend an account: users and API keys get 403, webhooks store what is sent, jobs and emails pause',
      )
        .argument('<name>')
        .action((name, options) => suspend(name, true, options)),
    )
    .addCommand(
      command('resume', 'resume a suspended account, and process what its webhooks stored')
        .argument('<name>')
        .action((name, options) => suspend(name, false, options)),
    )
    .addCommand(
      command('export', 'write one account to a new file, while the service runs')
        .argument('<name>')
        .argument('<file>', 'the new file')
        .action(exportOne),
    )
    .addCommand(
      command('import', 'create an account from a file that account export wrote, while the service runs')
        .argument('<file>')
        .option('--name <name>', 'another name for it')
        .option('--even-deleted', 'also if it was deleted after the file was written')
        .action(importOne),
    )
    .addCommand(
      command('restore', 'replace or create one account by what a backup has of it, while the others work')
        .argument('<name>')
        .requiredOption('--from <file>', 'a file of lead-engine backup, of the daily backup or of account export')
        .option('--even-deleted', 'also if it was deleted after the backup was made')
        .option('--yes', 'replace what the account has now')
        .action(restoreOne),
    )
    .addCommand(
      command('delete', 'delete one account with all that it has, and write a certificate')
        .argument('<name>')
        .option('--yes', 'without typing the name of the account')
        .action(deleteOne),
    )
}

async function suspend(name: string, suspended: boolean, options: { json?: boolean }): Promise<void> {
  const result = await withInstallation(async ({ database }) => {
    const { id, name: account } = await accountWith(database.directory, name)
    if (!suspended) await openInterrupted(database.directory, id)
    return { account_id: id, account, suspended, changed: await setSuspended(database, id, suspended) }
  })
  print(options, result, ({ account, changed }) =>
    suspended
      ? `The account "${account}" ${changed ? 'is now' : 'was already'} suspended. Its users and API keys get 403, and its webhooks store what is sent.`
      : `The account "${account}" ${changed ? 'is resumed: what its webhooks stored is processed now' : 'was not suspended'}.`,
  )
}

async function exportOne(name: string, path: string, options: { json?: boolean }): Promise<void> {
  const { exportAccount } = await import('../accounts/export-account.ts')
  const stopping = abortOnSignals()
  const exported = await withOwner(async ({ owner }) => {
    const account = await asOwner(owner, (sql) => accountWith(sql, name))
    const { file, bytes, leads } = await exportAccount({
      owner,
      account,
      path,
      steps: showSteps(options),
      stopping: stopping.signal,
    })
    return { account_id: account.id, account: account.name, file, bytes, leads }
  })
  stopping.end()
  print(
    options,
    exported,
    ({ account, leads, file }) =>
      `${file} is complete and checked: the account "${account}" with ${count(leads, 'lead')}.\n` +
      'It contains personal data and secrets: keep it as safe as the database.',
  )
}

async function deleteOne(name: string, options: { json?: boolean; yes?: boolean }): Promise<void> {
  const { deleteAccount } = await import('../accounts/delete-account.ts')
  const deleted = await withOwner(async ({ owner }) => {
    const account = await asOwner(owner, (sql) => accountWith(sql, name))
    if (!options.yes) await confirm(account.name)
    return deleteAccount({ owner, account, folders: dataFolders(), steps: showSteps(options) })
  })
  print(
    options,
    deleted,
    ({ account, rows, certificate }) =>
      `The account "${account.name}" is deleted, and nothing of it is left: ${count(rows.users!, 'user')}, ${count(rows.leads!, 'lead')}.\n` +
      `${certificate} is the certificate. Backups that were made before still contain the account.`,
  )
}

async function confirm(name: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error(`To delete the account "${name}" without a terminal, add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await terminal.question(`This deletes the account and everything in it. Type its name, ${name}: `)
  terminal.close()
  if (typed.trim() !== name) throw new Error('The name is another one. Nothing was changed.')
}

interface BackOptions {
  json?: boolean
  evenDeleted?: boolean
}

async function importOne(path: string, options: BackOptions & { name?: string }): Promise<void> {
  const { findSavedAccount } = await import('../accounts/saved-account.ts')
  const { restoreAccount } = await import('../accounts/restore-account.ts')
  const { openBackup } = await import('../backup/restore-backup.ts')
  const name = options.name === undefined ? null : checkedText(options.name, '--name')
  const steps = showSteps(options)
  const backup = await openBackup(path, dataFolders(), steps)
  if (!backup.manifest.account)
    throw new Error(
      `${path} is a backup of a whole installation. Take one account from it with: lead-engine account restore NAME --from ${path}`,
    )
  const saved = await findSavedAccount(backup, { id: backup.manifest.account.id, name: null })
  const { evenDeleted = false } = options
  const imported = await withOwner(({ owner }) =>
    restoreAccount({ owner, backup, saved, replace: false, name, evenDeleted, steps }),
  )
  print(options, imported, ({ account, users, leads, erased_again }) =>
    [
      `The account "${account}" is here, with ${count(users, 'user')} and ${count(leads, 'lead')}, under the ids that it had.`,
      ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
      'Its users sign in with their passwords. If the service has another URL here, senders need the new webhook URLs.',
    ].join('\n'),
  )
}

async function restoreOne(name: string, options: BackOptions & { from: string; yes?: boolean }): Promise<void> {
  const { findSavedAccount } = await import('../accounts/saved-account.ts')
  const { restoreAccount } = await import('../accounts/restore-account.ts')
  const { openBackup } = await import('../backup/restore-backup.ts')
  const steps = showSteps(options)
  const backup = await openBackup(options.from, dataFolders(), steps)
  const { evenDeleted = false } = options
  const restored = await withOwner(async ({ owner }) => {
    const there = await asOwner(owner, (sql) => findAccountWith(sql, name))
    if (there && !options.yes)
      throw new Error(
        `The account "${there.name}" is here: with --yes, all that it has now is replaced by its state of ${backup.manifest.created_at}. Nothing was changed.`,
      )
    const saved = await findSavedAccount(backup, { id: there?.id ?? null, name })
    return restoreAccount({ owner, backup, saved, replace: true, name: null, evenDeleted, steps })
  })
  print(options, { ...restored, as_of: backup.manifest.created_at }, ({ account, users, leads, erased_again }) =>
    [
      `Restored the account "${account}" with ${count(users, 'user')} and ${count(leads, 'lead')} as of ${backup.manifest.created_at}.`,
      ...(erased_again > 0 ? [`Deleted again: ${count(erased_again, 'lead')}.`] : []),
      'Its users sign in again. Other accounts were not changed.',
    ].join('\n'),
  )
}
