/**
 * Drafts that survive a reload of this tab, by key. The browser drops pages on a phone. Signing out removes them.
 */
export function createDrafts<T>(name: string) {
  const key = (id: string) => `draft ${name} ${id}`
  return {
    get(id: string): T | undefined {
      try {
        return JSON.parse(sessionStorage.getItem(key(id)) ?? 'null') ?? undefined
      } catch {
        return undefined
      }
    },
    set(id: string, draft: T): void {
      try {
        sessionStorage.setItem(key(id), JSON.stringify(draft))
      } catch {
        // Without room the draft lasts as long as the page.
      }
    },
    delete: (id: string) => sessionStorage.removeItem(key(id)),
  }
}
