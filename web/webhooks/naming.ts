const needed = (words: string) => (value: string) => (value.trim() ? null : words)

/** What a webhook must be called. */
export const naming = { name: needed('Give it a name.'), source_label: needed('Say what its leads’ source is called.') }
