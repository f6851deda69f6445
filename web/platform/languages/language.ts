import { i18n } from '@lingui/core'
import type { Language } from '#contract/platform/languages'

/** The language of the page, whose texts are in its code. It stays the same until a page is loaded again: constants may hold texts. */
export const shownLanguage = document.documentElement.lang.split('-', 1)[0] as Language

// Numbers are grouped as in India.
i18n.loadAndActivate({ locale: shownLanguage, locales: document.documentElement.lang, messages: {} })

/** In seconds. */
const year = 31_536_000

/** Shows the app in another language from now on, in this browser. The server reads the cookie. */
export function showIn(language: Language) {
  if (language === shownLanguage) return
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has the Cookie Store API only since 18.4
  document.cookie = `language=${language}; path=/; max-age=${year}; samesite=lax`
  // Some browsers keep none.
  if (document.cookie.includes(`language=${language}`)) location.reload()
}
