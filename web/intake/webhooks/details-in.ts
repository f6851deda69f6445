export type Block = { kind: 'title' | 'text' | 'code'; text: string } | { kind: 'list'; items: string[] }

/** Returns what a guide says after its steps, from the first section on: titles, paragraphs, lists and payloads. */
export function detailsIn(page: string): Block[] {
  const start = page.indexOf('\n## ')
  if (start < 0) return []
  // Even parts are text, odd ones code.
  return page
    .slice(start)
    .split(/^```\w*\n([\s\S]*?)^```$/m)
    .flatMap((part, index): Block[] => (index % 2 === 1 ? [{ kind: 'code', text: part.trimEnd() }] : blocksOf(part)))
}

const blocksOf = (text: string): Block[] =>
  text
    .split(/\n{2,}|\n(?=## )/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      if (block.startsWith('#')) return { kind: 'title', text: block.replace(/^#+ /, '') }
      if (block.startsWith('- ')) return { kind: 'list', items: block.slice(2).split(/\n- /).map(onOneLine) }
      return { kind: 'text', text: onOneLine(block) }
    })

/** Pages that are linked are in the repository: only their names stay. */
const onOneLine = (text: string) => text.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
