/**
 * Where to go after signing in: the page of ours that was wished, else the first. Read as a browser reads it, which
 * leaves out tabs and line ends and takes a backslash for a slash; answered whole, for a path may begin with two.
 */
export function placeAfter(wished: string | undefined, origin: string): string {
  const place = wished?.startsWith('/') ? URL.parse(wished, origin) : null
  return place?.origin === origin ? place.href : '/'
}
