import { Code } from '@mantine/core'
import { createElement, Fragment } from 'react'

/** Shows `**words**` in bold and `code` in a monospaced font. */
export function formatted(text: string) {
  const parts = text.split(/(\*\*.+?\*\*|`.+?`)/).map((part) => {
    if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>
    if (part.startsWith('`')) return <Code>{part.slice(1, -1)}</Code>
    return part.replaceAll("'", '’')
  })
  return createElement(Fragment, null, ...parts)
}
