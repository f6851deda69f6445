import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { logErasedLeads } from '../operations/backup/log-erased-leads.ts'
import { scheduleBackups } from '../operations/backup/schedule-backups.ts'
import { measureContinuousBackup } from '../operations/continuous-backup/watch-process.ts'
import { openWorkers } from '../operations/processes/workers.ts'
import { cleanUpHourly } from '../server/cleanup.ts'
import { observeCertificate, observeDisks, observeReplica } from '../server/platform/health/metrics.ts'
import { freePort, testApp } from './app.ts'
import { mailServer } from './mail-server.ts'
import { root } from './service.ts'

/** With everything that has metrics. */
const mails = await mailServer()
const { app, database, close } = await testApp({
  SMTP_URL: mails.url,
  MAIL_FROM: 'leads@example.com',
  REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
})
const cleanup = cleanUpHourly(database, { deliveryRetentionDays: 30, metrics: app.metrics, onError: assert.ifError })
observeDisks(app.metrics, { data: root })
observeCertificate(app.metrics, join(root, 'test/tls/certificate.pem'))
observeReplica(app.metrics, { isUsed: false, lag: null })
measureContinuousBackup(app.metrics, () => ({ waiting_since: null, base_at: null, drill: null, heard: Date.now() }))
openWorkers({ count: 0, env: {}, metrics: app.metrics, log: app.log })
const backupProcess = Object.assign(new EventEmitter(), { connected: true, exitCode: 0, send: () => true })
const schedule = scheduleBackups(database, backupProcess as unknown as ChildProcess, {
  metrics: app.metrics,
  onDone: () => {},
  onError: () => {},
})
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-monitoring-'))
const erased = logErasedLeads(database, {
  lists: [join(folder, 'erased')],
  metrics: app.metrics,
  onError: assert.ifError,
})
after(async () => {
  await erased.stop()
  await cleanup.stop()
  await schedule.stop()
  await close()
  await mails.close()
  rmSync(folder, { recursive: true })
})

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const dashboard = JSON.parse(textOf('deploy/grafana-dashboard.json')) as Dashboard

interface Dashboard {
  panels: { id: number; type: string; title: string; gridPos: Rectangle; targets?: { expr: string }[] }[]
}
interface Rectangle {
  x: number
  y: number
  w: number
  h: number
}

const expressions = {
  'deploy/alerts.yaml': textOf('deploy/alerts.yaml').replace(/^#.*$|^ +(summary|- alert): .*$/gm, ''),
  'deploy/grafana-dashboard.json': dashboard.panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .join('\n'),
}

/** Added by Prometheus itself. */
const added = ['instance', 'job', 'le']

for (const [file, text] of Object.entries(expressions)) {
  test(`every metric and label in ${file} exists`, async () => {
    const found = [...text.matchAll(/\b((?:lead_engine|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
    assert.ok(found.length > 15)
    for (const [, written, selector = ''] of found) {
      const name = app.metrics.getSingleMetric(written!) ? written! : written!.replace(/_(bucket|count|sum)$/, '')
      const metric = app.metrics.getSingleMetric(name)
      assert.ok(metric, `${written} is not a metric of the service`)
      const { labelNames } = metric as unknown as { labelNames: string[] }
      for (const [, label] of selector.matchAll(/(\w+) *(?:=|!)/g)) {
        assert.ok([...added, ...labelNames].includes(label!), `${written} has no label ${label}`)
      }
    }
  })
}

for (const [file, text] of Object.entries(expressions)) {
  // Otherwise the first failure would be the first sample, and no increase.
  test(`every counter in ${file} starts at 0`, async () => {
    const lines = (await app.metrics.metrics()).split('\n').filter((line) => !line.startsWith('#'))
    for (const [, name = '', selector = ''] of text.matchAll(/\b(lead_engine_\w+_total)(?:\{([^}]*)\})?/g)) {
      const labels = [...selector.matchAll(/(\w+)="([^"$]+)"/g)].map(([label]) => label)
      const samples = lines.filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)))
      assert.ok(samples.length > 0, `${name}{${labels}} has no sample`)
      for (const sample of samples) assert.match(sample, / 0$/)
    }
  })
}

test('every metric of our own is in the documentation', async () => {
  const documented = textOf('docs/operating.md')
  for (const { name } of await app.metrics.getMetricsAsJSON()) {
    if (name.startsWith('lead_engine_')) assert.ok(documented.includes(`\`${name}\``), name)
  }
})

test('every alert is explained in the documentation', () => {
  const alerts = [...textOf('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  assert.ok(alerts.length > 10)
  const documented = textOf('docs/operating.md')
  for (const name of alerts) assert.ok(documented.includes(`| \`${name}\` |`), name)
})

test('the panels of the dashboard do not overlap', () => {
  const overlap = (one: Rectangle, other: Rectangle) =>
    one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h
  for (const one of dashboard.panels) {
    assert.ok(one.gridPos.x + one.gridPos.w <= 24, one.title)
    for (const other of dashboard.panels) {
      assert.ok(one.id === other.id || !overlap(one.gridPos, other.gridPos), `${one.title} and ${other.title}`)
    }
  }
})
