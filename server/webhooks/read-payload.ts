import { type PayloadInput, type PayloadReading, readPayloadSync } from './payload-reading.ts'

/** Reads an inbound body without keeping the event loop busy. */
export async function readPayload(input: PayloadInput): Promise<PayloadReading> {
  return readPayloadSync(input)
}
