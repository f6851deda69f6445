import { i18n } from '@lingui/core'
import type { Language } from '#contract/platform/languages'

/** The language of the page, whose texts are in its code. It stays the same until a page is loaded again: constants may hold texts. */
export const shownLanguage = document.documentElement.lang.split('-', 1)[0] as Language

// Numbers are grouped as in India.
i18n.loadAndActivate({ locale: shownLanguage, locales: document.documentElement.lang, messages: {} })

/** In seconds. */
const year = 31_536_000

/** Shows the app in another language from now on, in this browser. */
export function showIn(language: Language) {
  if (language !== shownLanguage && keep(language)) location.reload()
}

/** The same from a page that is shown: it stays until its scripts in the other language are there. */
export async function changeTo(language: Language) {
  if (language === shownLanguage || !keep(language)) return
  await loadScripts().catch(() => {})
  location.reload()
}

/** The server reads the cookie. Returns whether the browser keeps it. */
function keep(language: Language): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has the Cookie Store API only since 18.4
  document.cookie = `language=${language}; path=/; max-age=${year}; samesite=lax`
  return document.cookie.includes(`language=${language}`)
}

/** Loads what this page has loaded in the language of the cookie: the same names, in another folder. */
async function loadScripts() {
  const page = await (await fetch(location.href)).text()
  const [, folder] = /src="(\/assets\/(?:[\w-]+\/)?)[^/"]+\.js"/.exec(page) ?? []
  const names = performance
    .getEntriesByType('resource')
    .flatMap(({ name }) => /\/assets\/(?:[\w-]+\/)?([^/]+\.js)$/.exec(name)?.[1] ?? [])
  if (folder) await Promise.all([...new Set(names)].map((name) => fetch(folder + name)))
}
