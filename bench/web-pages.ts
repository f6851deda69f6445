/**
 * Measures the requests of the web app's pages for a large account, by role, through the real app, and names those that
 * take too long. Words after the command choose the URLs that contain one of them.
 */
import { testApp } from '../test/app.ts'
import { people, sessionCookie } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { fillLargeAccount } from './large-account.ts'
import { measurePages } from './measure-pages.ts'
import { pagesOf } from './pages.ts'

await withTestServer(async () => {
  const app = await testApp({ LOG_LEVEL: 'warn' })
  try {
    const cast = await people(app)
    console.log('Filling the account …')
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
