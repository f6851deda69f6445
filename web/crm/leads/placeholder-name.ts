/** Whether a name was made of the number of an unknown caller: Caller +91 98100 44321. */
export const isPlaceholderName = (name: string) => /^Caller \+?[\d ()-]{7,}$/.test(name)
