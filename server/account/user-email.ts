/**
 * The emails that signing in takes: those that better-auth takes, up to 254 characters. Of leads any plausible address
 * is kept; but a user whose email is not of these could be invited and never sign in.
 */
const signsIn = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export const isUserEmail = (text: string) => text.length <= 254 && signsIn.test(text)

export const userEmailFormat = {
  name: 'person-email',
  holds: isUserEmail,
  says: "must be an email address of unaccented letters, digits and . _ - + ' before the @",
}
