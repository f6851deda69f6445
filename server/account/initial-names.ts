/** What the first account and its Admin are called until somebody names them. */
export const initialNames = { account: 'My company', user: 'Admin' }
