/** Apps show the digits as "123 456". */
export const appCodeIn = (typed: string) => typed.replace(/[\s-]/g, '')

/** As it was shown, "abcde-fGh1J", however it was typed. */
export const backupCodeIn = (typed: string) => appCodeIn(typed).replace(/^(.{5})(?=.)/, '$1-')
