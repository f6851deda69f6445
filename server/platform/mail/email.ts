import type { Language } from '../languages/contract.ts'

export interface Email {
  to: string
  /** The language of the texts; null is English. */
  language: Language | null
  subject: string
  /** Paragraphs. */
  before: string[]
  link?: { label: string; url: string }
  after: string[]
}

/** Renders an email as plain text and as HTML. In the HTML every value is escaped. */
export function renderEmail({ language, before, link, after }: Omit<Email, 'to' | 'subject'>): {
  text: string
  html: string
} {
  const paragraph = (text: string) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return {
    text: `${[...before, ...(link ? [link.url] : []), ...after].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language ?? 'en'}"><body>`,
      ...before.map(paragraph),
      ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
      ...after.map(paragraph),
      '</body></html>',
    ].join('\n'),
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
