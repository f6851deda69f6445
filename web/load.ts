import type { Profile } from '#contract/access/profile'
import type { SignInOptions } from '#contract/access/sign-in'
import { pages } from '#contract/platform/web-app'
import { drawEarlyForm } from './access/sign-in/early-form.ts'
import type { Data } from './platform/api/api.ts'
import { askEarly } from './platform/api/early.ts'
import './platform/languages/language.ts'
import { frameCode, pageCode } from './page-code.ts'

type PageName = keyof typeof pages

/**
 * The first script of a page. It asks for the code and the data of the page while the app is still loading: on a slow network each
 * of them would wait for the one before. Errors show when the app asks for the same.
 */
const app = import('./main.tsx')
const name = pageAt(location.pathname)
if (name === 'signIn' || name === 'forgotten' || name === 'join') {
  const options = askEarly('/web-public/sign-in-options')
  if (name === 'signIn' && !location.search.includes('step=')) void options.then(drawForm).catch(ignore)
  void pageCode[name]().catch(ignore)
  // Needed after the sign-in, of which this is the first sign.
  addEventListener('input', () => void app.then(frameCode).catch(ignore), { once: true })
} else if (name) {
  void loadSignedIn(name).catch(ignore)
}

async function drawForm(answer: Response) {
  drawEarlyForm(((await answer.clone().json()) as Data<SignInOptions>).data)
}

async function loadSignedIn(name: Exclude<PageName, 'signIn' | 'forgotten' | 'join'>) {
  void askEarly('/auth/get-session')
  const me = await askEarly('/web/me')
  if (!me.ok) {
    void askEarly('/web-public/sign-in-options')
    return void (await pageCode.signIn())
  }
  const { data } = (await me.clone().json()) as Data<Profile>
  const page = name === 'start' ? firstPage(data) : name
  void frameCode().catch(ignore)
  if (page === 'lead') void pageCode.leads().catch(ignore)
  void pageCode[page]().catch(ignore)
  if (location.search === '' && page === 'overview') void askEarly('/web/overview?days=30')
  if (location.search === '' && page === 'callQueue') void askEarly('/web/call-queue')
}

const firstPage = ({ role, first_start }: Profile) =>
  role === 'Agent' ? 'callQueue' : first_start === 'opens' ? 'firstStart' : 'overview'

/** Fixed URLs win: /leads/import is no lead. */
function pageAt(pathname: string): PageName | undefined {
  const names = Object.keys(pages) as PageName[]
  const path = pathname.replace(/(.)\/$/, '$1')
  return (
    names.find((name) => pages[name] === path) ??
    names.find((name) => new RegExp(`^${pages[name].replace(/\$\w+/, '[^/]+')}$`).test(path))
  )
}

function ignore() {}
