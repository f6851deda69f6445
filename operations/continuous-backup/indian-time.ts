import { indianMinutes } from '../../server/platform/http/instants.ts'

/** Writes a time as 2026-11-28 10:00:00.123 IST, which `restore --until` reads too. */
export function inIndia(time: string | Date): string {
  const shifted = new Date(new Date(time).getTime() + indianMinutes * 60_000)
  return `${shifted.toISOString().slice(0, -1).replace('T', ' ')} IST`
}
