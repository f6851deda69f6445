/** How the generated client of orval sends: to the service of the call. */
export async function send<T>(
  path: string,
  { baseUrl = '', ...options }: RequestInit & { baseUrl?: string },
): Promise<T> {
  const response = await fetch(baseUrl + path, options)
  return { status: response.status, data: await response.json(), headers: response.headers } as T
}
