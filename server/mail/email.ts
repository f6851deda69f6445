export interface Email {
  to: string
  subject: string
  /** Paragraphs. */
  before: string[]
  link?: { label: string; url: string }
  after: string[]
}

/** Renders an email as plain text and as HTML. In the HTML every value is escaped. */
export function renderEmail({ before, link, after }: Pick<Email, 'before' | 'link' | 'after'>): {
  text: string
  html: string
} {
  const paragraph = (text: string) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return {
    text: `${[...before, ...(link ? [link.url] : []), ...after].join('\n\n')}\n`,
    html: [
      '<!doctype html><html lang="en"><body>',
      ...before.map(paragraph),
      ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
      ...after.map(paragraph),
      '</body></html>',
    ].join('\n'),
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
