import { instantText } from '../../../platform/http/instants.ts'
import { readDuration, readTime } from '../../../platform/http/parse-time.ts'
import { wordsIn } from './call-words.ts'

/** Values of a call as systems write them: times, durations, URLs of recordings. */

const firstYear = 1995

/** Returns a time as ISO 8601 in UTC; undefined if it is none, as `0000-00-00 00:00:00`. `utc`: times without a zone are. */
export function timeIn(text: string, utc = false): string | undefined {
  // A form turns the plus of a zone into a space, and other systems write milliseconds behind a colon.
  const written = text.trim().replace(/([T ]\d\d:\d\d:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2')
  const micro = /^(\d{13})\d{3}$/.exec(written)?.[1]
  const time = readTime(micro ?? written, utc ? { offset: 0 } : {})
  return time && time.getUTCFullYear() >= firstYear && time.getUTCFullYear() < 2100 ? instantText(time) : undefined
}

/** In one call. */
const maxCallSeconds = 2 * 86_400

/** Returns a duration in seconds; `name`: its key, which may say that it is in milliseconds or minutes. */
export function durationIn(text: string, name = ''): number | undefined {
  const written = text.trim()
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/i.exec(written)
  const [, hours = 0, minutes = 0, seconds = 0] = iso ?? []
  const inMilliseconds =
    /^(ms|msec|millis|milli_?seconds?)$/.test(lastWord(name)) || /(time|duration|length)ms$/i.test(name)
  const unit = /^min(ute)?s?$/.test(lastWord(name)) && !written.includes(':') ? 'minutes' : 'seconds'
  const plain = written.replace(/^(\d+(?:\.\d+)?)\s*ms$/i, '$1')
  const read = iso ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : readDuration(plain, unit)
  if (read === undefined) return undefined
  const length = Math.round(inMilliseconds || plain !== written ? read / 1000 : read)
  return length <= maxCallSeconds ? length : undefined
}

const lastWord = (name: string) => wordsIn(name).at(-1) ?? ''

const maxUrlLength = 2000

/** Returns the URL of a recording; of a list, the first. */
export function recordingIn(text: string): string | undefined {
  const first = text.trim().split(/[\s,|]+(?=https?:)/)[0]!
  return first.length <= maxUrlLength && /^https?:\/\/[^\s<>"]+$/i.test(first) && URL.canParse(first)
    ? first
    : undefined
}
