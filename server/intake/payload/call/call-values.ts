import { instantText } from '../../../platform/http/instants.ts'
import { readDuration, readTime } from '../../../platform/http/parse-time.ts'
import { isBlank } from '../structure/values.ts'
import { wordsIn } from './call-words.ts'

/** Values of a call as systems write them: times, durations, URLs of recordings. */

const firstYear = 1995

/** Returns a time as ISO 8601 in UTC; undefined if it is none, as `0000-00-00 00:00:00`. `utc`: times without a zone are. */
export function timeIn(text: string, utc = false): string | undefined {
  if (text.length > 80 || !/\d/.test(text)) return undefined
  // A form turns the plus of a zone into a space, and other systems write milliseconds behind a colon.
  const written = text
    .trim()
    .replace(/([T ]\d\d:\d\d:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2')
    .replace(/^\/?Date\((\d{13})(?:[+-]\d{4})?\)\/?$/, '$1')
  // Microseconds and nanoseconds since 1970.
  const long = /^(\d{13})(?:\d{3}|\d{6})$/.exec(written)?.[1]
  const time = readTime(long ?? written, utc ? { offset: 0 } : {})
  return time && time.getUTCFullYear() >= firstYear && time.getUTCFullYear() < 2100 ? instantText(time) : undefined
}

/** Whether it stands for a time that there is not, as the answer of a missed call. */
export const isNoTime = (text: string) =>
  isBlank(text.trim()) || /^([0\W_TZ]*|(19[067]\d|0001)-\d\d-\d\d.*|yes|no|true|false|1)$/i.test(text.trim())

/** Whether the name of a time says that it is in UTC: `start_time_utc`, `CallStartGMT`. */
export const saysUtc = (name: string) => wordsIn(name).some((word) => /^(utc|gmt)$/.test(word))

/** In one call. */
const maxCallSeconds = 2 * 86_400
/** No call is a longer round number of thousands. */
const usualSeconds = 8 * 3600
/** Clocks of a system differ, and a start and an end are rounded. */
const tolerance = 60

/**
 * Returns a duration in seconds. `name`: its key, which may say that it is in milliseconds or minutes. `maxSeconds`: the seconds from start to
 * end; a number that is much larger is in milliseconds.
 */
export function durationIn(text: string, name = '', maxSeconds = Infinity): number | undefined {
  const written = text.trim()
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/i.exec(written)
  const [, hours = 0, minutes = 0, seconds = 0] = iso ?? []
  const unit = /^min(ute)?s?$/.test(lastWord(name)) && !written.includes(':') ? 'minutes' : 'seconds'
  const plain = written.replace(/^(\d+(?:\.\d+)?)\s*ms$/i, '$1')
  const read = iso ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : readDuration(plain, unit)
  if (read === undefined) return undefined
  const part = plain !== written ? 1000 : partsOfSecond(name)
  const isTooLong =
    part === 1 &&
    read > 1000 &&
    read > Math.min(maxSeconds + tolerance, /^\d+000$/.test(plain) ? usualSeconds : Infinity) &&
    read / 1000 <= maxSeconds + tolerance
  const length = Math.round(read / (isTooLong ? 1000 : part))
  return length <= maxCallSeconds ? length : undefined
}

function partsOfSecond(name: string): number {
  if (
    /^(ms|msecs?|millis|milli_?seconds?)$/.test(lastWord(name)) ||
    /(time|duration|length|bill)m(illi)?s(ec)?$/i.test(name)
  )
    return 1000
  return /^(us|usecs?|micros|microseconds?)$/.test(lastWord(name)) || /(time|duration|bill)usec$/i.test(name) ? 1e6 : 1
}

const lastWord = (name: string) => wordsIn(name).at(-1) ?? ''

const maxUrlLength = 2000

/** Returns the URL of a recording, with its spaces encoded; of a list, the first. */
export function recordingIn(text: string): string | undefined {
  const first = text
    .trim()
    .split(/[\s,|]+(?=https?:)/)[0]!
    .replaceAll(' ', '%20')
  return first.length <= maxUrlLength && /^https?:\/\/[^\s<>"]+$/i.test(first) && URL.canParse(first)
    ? first
    : undefined
}

/** Whether it is the path or the file of a recording, without the server that has it. */
export const isRecordingFile = (text: string) =>
  text.length <= 500 &&
  /^(?!https?:)[^<>"\n]*\.(mp3|wav|ogg|oga|opus|m4a|aac|amr|gsm|flac|webm|mp4)(\?\S*)?$|^\/([\w.-]+\/)+[\w.-]+$/i.test(
    text.trim(),
  )
