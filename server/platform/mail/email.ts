import type { Language } from '../languages/contract.ts'

export interface Email {
  to: string
  /** The language of the texts; null is English. */
  language: Language | null
  subject: string
  before: Paragraph[]
  link?: Link
  after: Paragraph[]
}

/** A text, or lines of texts and links. */
type Paragraph = string | (string | Link)[][]

export interface Link {
  label: string
  url: string
}

/** Renders an email as plain text and as HTML. In the HTML every value is escaped. */
export function renderEmail({ language, before, link, after }: Omit<Email, 'to' | 'subject'>): {
  text: string
  html: string
} {
  return {
    text: `${[...before.map(asText), ...(link ? [link.url] : []), ...after.map(asText)].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language ?? 'en'}"><body>`,
      ...before.map(asHtml),
      ...(link ? [asHtml([[link]])] : []),
      ...after.map(asHtml),
      '</body></html>',
    ].join('\n'),
  }
}

/** Each part of a line is a line of its own, because URLs are long. */
function asText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return paragraph
    .flat()
    .map((part) => (typeof part === 'string' ? part : `${part.label} <${part.url}>`))
    .join('\n')
}

function asHtml(paragraph: Paragraph): string {
  const lines = typeof paragraph === 'string' ? paragraph.split('\n').map((line) => [line]) : paragraph
  return `<p>${lines.map((parts) => parts.map(partAsHtml).join(' · ')).join('<br>')}</p>`
}

const partAsHtml = (part: string | Link) =>
  typeof part === 'string' ? escapeHtml(part) : `<a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
