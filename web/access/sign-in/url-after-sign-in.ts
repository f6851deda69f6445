/**
 * Returns where to go after signing in: the requested page of this site, else the first page. Parses it as a browser
 * does, which drops tabs and line ends and reads a backslash as a slash. Returns a full URL: a path may start with `//`.
 */
export function urlAfterSignIn(next: string | undefined, origin: string): string {
  const url = next?.startsWith('/') ? URL.parse(next, origin) : null
  return url?.origin === origin ? url.href : '/'
}
