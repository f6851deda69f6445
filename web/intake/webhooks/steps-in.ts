/** Returns the steps of the first numbered list right under a heading of a page, each on one line. */
export function stepsIn(page: string, heading: string): string[] {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const [list = ''] = /^1\. .*\n(?:(?:\d+\. | {3}).*\n)*/m.exec(section) ?? []
  const steps = list.split(/^\d+\. /m).slice(1)
  return steps.map((step) => step.trim().replace(/\s+/g, ' '))
}
