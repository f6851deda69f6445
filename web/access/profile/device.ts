import { t } from '@lingui/core/macro'

const browsers = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** Returns a readable name of a device, such as "Chrome on Android". */
export function describeDevice(userAgent: string | null): { name: string; isPhone: boolean } {
  const find = (kinds: typeof browsers | typeof systems) =>
    kinds.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  return {
    name: browser && system ? t`${browser} on ${system}` : (browser ?? system ?? t`Unknown device`),
    isPhone: system === 'Android' || system === 'iPhone',
  }
}
