import { type Command, Option } from 'commander'
import type { CheckResult } from '../doctor/check.ts'
import { environment } from './open.ts'
import { command, count } from './output.ts'
import { noProgress, type Progress, showProgress } from './progress.ts'

export function doctorCommand(): Command {
  return command('doctor', 'find what is wrong with this installation, and how to fix it')
    .option('--repair-counts', 'correct counts that differ from the rows', false)
    .option('--repair', 'correct all that can be corrected without losing data', false)
    .addOption(
      new Option(
        '--only <names>',
        'for upgrade: run only these checks, with those whose findings they need',
      ).hideHelp(),
    )
    .action(async ({ json, repair, repairCounts, only }) => {
      const { diagnose } = await import('../doctor/diagnose.ts')
      let progress: Progress | null = null
      const checks = await diagnose({
        env: environment,
        only: only?.split(','),
        repair: repair ? 'everything' : repairCounts ? 'counts' : 'nothing',
        onProgress: (done, all) => {
          progress ??= json ? noProgress : showProgress(all, 'rows', 'Comparing the counts')
          progress.at(done)
        },
        report: (result) => {
          progress?.end()
          if (!json) console.log(lineOf(result))
        },
      })
      if (json) console.log(JSON.stringify({ checks }))
      else console.log(`\n${summaryOf(checks)}`)
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

const width = 18

export function lineOf({ name, ok, checked, message, fix }: CheckResult): string {
  const mark = ok ? '✓' : checked ? '✗' : '–'
  const advice = fix === null ? '' : `\n${' '.repeat(width + 2)}${ok ? '' : 'Fix: '}${fix}`
  return `${mark} ${name.padEnd(width)}${message}${advice}`
}

export function summaryOf(checks: CheckResult[]): string {
  const problems = checks.filter(({ ok, checked }) => checked && !ok).length
  const skipped = checks.filter(({ checked }) => !checked).length
  if (problems + skipped === 0) return 'Everything is in order.'
  const found = problems === 1 ? '1 problem was found' : `${problems} problems were found`
  return `${found}. ${skipped > 0 ? `${count(skipped, 'check')} could not run.` : ''}`.trim()
}
