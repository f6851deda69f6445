/** The service in a process of its own. It reaches the push service of bench/missed-calls.ts, which has no public IP address. */
import { Registry } from 'prom-client'
import { moveContinuously } from '../../server/crm/counts/move-continuously.ts'
import { connect, type SignIns } from '../../server/platform/database/connect.ts'
import { openPushService } from '../../server/selling/notifications/push-service.ts'
import { sendNotices } from '../../server/selling/notifications/send-notices.ts'
import { serve } from '../../test/app.ts'
import { pushOptionsTo } from '../../test/push-server.ts'

export interface Place {
  signIns: SignIns
  pushUrl: string
}

const { signIns, pushUrl }: Place = JSON.parse(process.argv[2]!)
const database = connect(signIns)
const { url } = await serve(database, { LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' })
const push = await openPushService(database.directory, 'https://leads.example.com', pushOptionsTo(pushUrl))
const surroundings = { push, mailer: null, baseUrl: url, clock: () => new Date(), metrics: new Registry() }
sendNotices(database, { ...surroundings, onError: console.error }, async function* () {})
moveContinuously(database, console.error)
process.on('disconnect', () => process.exit())
process.send!(url)
