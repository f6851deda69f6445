export interface Letter {
  to: string
  subject: string
  before: string[]
  link: { label: string; address: string }
  after: string[]
}

/** The same letter twice: as it is read anywhere, and as HTML in which everything that somebody wrote is text. */
export function writeLetter({ before, link, after }: Letter): { text: string; html: string } {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  return {
    text: `${[...before, link.address, ...after].join('\n\n')}\n`,
    html: [
      '<!doctype html><html lang="en"><body>',
      ...before.map(paragraph),
      `<p><a href="${escaped(link.address)}">${escaped(link.label)}</a></p>`,
      ...after.map(paragraph),
      '</body></html>',
    ].join('\n'),
  }
}

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => names[character]!)
