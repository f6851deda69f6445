/** Signs that only hide: soft hyphens, zero width spaces, byte order marks, word joiners and marks of the writing direction. */
const hidden = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u206f\ufeff]/g

/**
 * Joiners, of which those stay that change how a text looks: between letters of the scripts of India, of Arabic and of others that join letters,
 * behind a virama, and within an emoji.
 */
const joining = '[\\u0600-\\u08ff\\u0900-\\u0dff\\u1000-\\u109f\\u1780-\\u18af]'
const joiners = new RegExp(
  `((?<=${joining})[\\u200c\\u200d](?=${joining})|(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d]` +
    `|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic}))|[\\u200c\\u200d]`,
  'gu',
)

/** Returns a text of one line without signs that only hide, with one space in place of spaces of any width, and none around it. */
export function cleanLine(text: string): string {
  if (/^[!-~]*(?: [!-~]+)*$/.test(text)) return text
  return text
    .replace(hidden, '')
    .replace(joiners, '$1')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
}
