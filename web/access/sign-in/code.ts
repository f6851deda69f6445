/** Apps show the digits as "123 456". */
export const appCodeIn = (typed: string) => typed.replace(/[\s-]/g, '')

/** Returns a backup code as it was shown: "abcde-fGh1J". */
export const backupCodeIn = (typed: string) => appCodeIn(typed).replace(/^(.{5})(?=.)/, '$1-')
