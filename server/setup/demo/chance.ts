/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number

/** Values with their cumulative probabilities. */
export interface Chances<T> {
  values: T[]
  upTo: number[]
}

export function chances<T>(weights: readonly (readonly [T, number])[]): Chances<T> {
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let sum = 0
  const upTo = weights.map(([, weight]) => {
    sum += weight
    return sum / all
  })
  return { values: weights.map(([value]) => value), upTo }
}

export function draw<T>({ values, upTo }: Chances<T>, random: Random): T {
  const roll = random()
  let index = 0
  while (index < values.length - 1 && roll >= upTo[index]!) index++
  return values[index]!
}

export function pickOne<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!
}

export function wholeBetween(min: number, max: number, random: Random): number {
  return min + Math.floor(random() * (max - min + 1))
}

/** Returns a log-normal value with median `middle`, as prices and waiting times have. */
export function around(middle: number, spread: number, random: Random): number {
  const bell = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return middle * Math.exp(spread * bell)
}
