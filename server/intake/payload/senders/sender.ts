import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type OriginPart, originParts } from '../../../crm/enquiries/contract.ts'
import { callStates } from '../../../telephony/calls/call-event.ts'
import { callOutcomes, callTypes } from '../../../telephony/calls/contract.ts'

const strict = { additionalProperties: false }

/** As in a mapping: `RESPONSE.SENDER_NAME`, `answers[0].text`; of a list with names and values, the name of an entry. */
const Paths = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })

/** Paths of a time. Of a date and a time apart, both paths. */
const Times = Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Tuple([Type.String(), Type.String()])]), {
  minItems: 1,
})

/**
 * Paths that a payload must have, all of them: with any value (`true`), or one that the regular expression matches whole. The first is
 * looked for first, so it should be a rare one.
 */
const Mark = Type.Record(Type.String(), Type.Union([Type.Literal(true), Type.String({ minLength: 1 })]))

/** The fields that a sender may name, with the paths of each, the most preferred first. */
const Fields = Type.Object(
  {
    name: Type.Optional(Paths),
    first_name: Type.Optional(Paths),
    last_name: Type.Optional(Paths),
    email: Type.Optional(Paths),
    phone: Type.Optional(Paths),
    other_contacts: Type.Optional(Paths),
    company: Type.Optional(Paths),
    city: Type.Optional(Paths),
    source: Type.Optional(Paths),
    notes: Type.Optional(Paths),
  },
  strict,
)
export type SenderField = keyof Static<typeof Fields>

/**
 * A word of a call: the same in every payload of the shape, or read from the first of these paths that the payload has. `words` are regular
 * expressions of whole values, in any case; other values are read by the usual words (call/call-words.ts).
 */
const WordOf = <Word extends string>(words: readonly Word[]) =>
  Type.Union([
    Type.Enum([...words]),
    Type.Object({ at: Paths, words: Type.Optional(Type.Record(Type.String(), Type.Enum([...words]))) }, strict),
  ])

/** What an event of a telephone system says of a call. Without `state`, the call has ended. Of `agents` and `notes`, all paths are read. */
const Call = Type.Object(
  {
    id: Type.Optional(Paths),
    state: Type.Optional(WordOf(callStates)),
    direction: Type.Optional(WordOf(callTypes)),
    outcome: Type.Optional(WordOf(callOutcomes)),
    started_at: Type.Optional(Times),
    answered_at: Type.Optional(Times),
    ended_at: Type.Optional(Times),
    /** Talk time without ringing: seconds, `1:23`, `00:01:23` or `1m 23s`. Not declared where a system counts ringing too. */
    talk_time: Type.Optional(Paths),
    agents: Type.Optional(Paths),
    recording: Type.Optional(Paths),
    notes: Type.Optional(Paths),
    /** Times without a zone are UTC. Otherwise they are IST. */
    utc: Type.Optional(Type.Literal(true)),
  },
  strict,
)
export type CallShape = Static<typeof Call>

const originPaths = Object.fromEntries(originParts.map((part) => [part, Type.Optional(Paths)])) as Record<
  OriginPart,
  Type.TOptional<typeof Paths>
>

/**
 * What a payload says of the enquiry. Without `answers`, those of `questions` are answers; without these, the usual words decide about all
 * values (enquiry/word-part.ts), and no value of a call is an answer.
 */
const Enquiry = Type.Object(
  {
    origin: Type.Optional(Type.Object(originPaths, strict)),
    /** What the person typed or chose. A path of an object or a list stands for all values in it. */
    answers: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** The texts that were shown, and what was chosen. */
    consent: Type.Optional(Paths),
    do_not_call: Type.Optional(Paths),
    /** What no person typed. */
    left_out: Type.Optional(Paths),
  },
  strict,
)
export type EnquiryShape = Static<typeof Enquiry>

const Shape = Type.Object(
  {
    /** One of these marks shows the shape. */
    marks: Type.Array(Mark, { minItems: 1 }),
    /** No lead comes of it: an event, or a message that the business itself sent. */
    is: Type.Optional(Type.Enum(['event', 'own'])),
    /** Where one body may have several leads, the list of them: `RESPONSE[]`. */
    records: Type.Optional(Type.String()),
    fields: Type.Optional(Fields),
    /**
     * The parts with the questions of the form's owner: they are read by the type that the form builder states, then by recognition,
     * which reads nothing else. With an empty list, it reads nothing; without one, the whole payload.
     */
    questions: Type.Optional(Type.Array(Type.String())),
    /** What is the business's own, or about something else. */
    ignore: Type.Optional(Paths),
    /** The payload is an event of a call. Its `phone` is the customer's, never the business's or an agent's; an event may have none. */
    call: Type.Optional(Call),
    enquiry: Type.Optional(Enquiry),
  },
  strict,
)

const Sender = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    /** Where the web app lists the steps of `guide.md`: of a kind, the most used come first. */
    guide: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum([
            'Ads',
            'Portals',
            'Forms and websites',
            'Chat',
            'Telephone systems',
            'Shops and payments',
            'CRM',
          ]),
          order: Type.Integer({ minimum: 1 }),
          /** Other words that find it. A webhook whose name has one that no other guide has starts with this guide. */
          aliases: Type.Optional(Type.Array(Type.String({ minLength: 2 }))),
          /** The platform asks for the verify token. */
          verify_token: Type.Optional(Type.Literal(true)),
          /** The platform has a secret token that the webhook needs. */
          secret_token: Type.Optional(Type.Literal(true)),
        },
        strict,
      ),
    ),
    /** The payloads that it sends: the first shape that matches is used. */
    shapes: Type.Array(Shape, { minItems: 1 }),
  },
  strict,
)
export type Sender = Static<typeof Sender>
export type Shape = Static<typeof Shape>

/** All senders, by the name of their folder. */
export const senders: ReadonlyMap<string, Sender> = new Map(
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((folder) => [folder, readSender(folder)]),
)

function readSender(folder: string): Sender {
  const file = join(import.meta.dirname, folder, 'sender.json')
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (Value.Check(Sender, value)) return value
  const problems = Value.Errors(Sender, value).map(({ instancePath, message }) => `${instancePath} ${message}`)
  throw new Error(`${file}: ${problems.join('; ')}`)
}
