export const leadKeys = {
  all: ['leads'],
  list: (asked: object) => ['leads', 'list', asked],
  one: (id: string) => ['leads', 'one', id],
  timeline: (id: string) => ['leads', 'timeline', id],
  entry: (id: string, entryId: number) => ['leads', 'entry', id, entryId],
  match: (contact: object) => ['leads', 'match', contact],
  choices: ['leads', 'choices'],
  queue: (owner: string | undefined) => ['leads', 'queue', owner],
  any: ['leads', 'any'],
  countOf: (email: string) => ['leads', 'count-of', email],
  palette: (search: string) => ['leads', 'palette', search],
  first: (openedAt: number) => ['leads', 'first', openedAt],
} as const
