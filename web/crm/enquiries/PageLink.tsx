import { Anchor } from '@mantine/core'
import { pageOf } from './page-of.ts'

/** A page on which somebody enquired, short. Only what is a page for certain is a link. */
export function PageLink({ url }: { url: string }) {
  const { label, href } = pageOf(url)
  if (href === null) return <span>{label}</span>
  return (
    <Anchor inherit href={href} target="_blank" rel="noopener noreferrer" title={url}>
      {label}
    </Anchor>
  )
}
