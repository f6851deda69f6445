/** In characters. */
const maxLabel = 48

/** Returns how a page is shown, and where its link goes: null if a browser should not open it. */
export function pageOf(sent: string): { label: string; href: string | null } {
  const url = URL.parse(sent)
  const isPage = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  return { label: start(isPage ? shortUrl(url) : sent), href: isPage ? url.href : null }
}

const shortUrl = ({ host, pathname }: URL) => host.replace(/^www\./, '') + readable(pathname).replace(/\/$/, '')

function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const start = (text: string) => (text.length <= maxLabel ? text : `${text.slice(0, maxLabel - 1).toWellFormed()}…`)
