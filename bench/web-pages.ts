/**
 * Measures the requests of the web app's pages for a large account, by role, through the real app, and names those that
 * take too long. Words after the command choose the URLs that contain one of them. `--drawn` measures in a browser
 * instead: first pages over a slow network, and reloads of lists. `--traffic` counts what a browser sends and loads.
 */
import { fillAccount } from '../operations/demo/fill.ts'
import { testApp } from '../test/app.ts'
import { people, sessionCookie } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { fillLargeAccount } from './large-account.ts'
import { measureDrawing } from './measure-drawing.ts'
import { measurePages } from './measure-pages.ts'
import { measureTraffic } from './measure-traffic.ts'
import { pagesOf } from './pages.ts'

await withTestServer(async () => {
  const app = await testApp({ LOG_LEVEL: 'warn' })
  try {
    const cast = await people(app)
    console.log('Filling the account …')
    const inBrowser = ['--drawn', '--traffic'].find((option) => process.argv.includes(option))
    if (inBrowser) {
      await fillAccount(app.connection, app.database, cast.acme, { leads: 5_000, days: 90, now: new Date() })
      if (inBrowser === '--drawn') await measureDrawing(app, { admin: cast.asha, agent: cast.bela })
      else await measureTraffic(app, cast.bela)
      return
    }
    await fillLargeAccount(app, cast)
    const { everybody, admins } = await pagesOf(app.owner, cast.acme, cast.bela)
    const roles = { Admin: cast.asha, Manager: cast.meena, Agent: cast.bela }
    for (const [role, person] of Object.entries(roles)) {
      const pages = role === 'Admin' ? [...everybody, ...admins] : everybody
      const cookie = await sessionCookie(app, person)
      await measurePages(app.url, cookie, role, pages.filter(isChosen))
    }
  } finally {
    await app.close()
  }
})

function isChosen({ path }: { path: string }): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => path.includes(word))
}
