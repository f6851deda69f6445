import { type Static, Type } from 'typebox'
import { Lines, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

/** What a text may contain in braces: the lead, the user who writes, and the account. */
export const placeholders = ['first_name', 'name', 'agent', 'company'] as const

export const maxOfAccount = 50
export const maxOfUser = 20
export const maxTextLength = 1000
/** With its placeholders filled in. */
export const maxFilledLength = 2000

export const QuickReply = Type.Object({ id: Uuid(), title: Type.String(), text: Type.String() })
export type QuickReply = Static<typeof QuickReply>

/** In their order. */
export const QuickReplies = Type.Object({ account: Type.Array(QuickReply), own: Type.Array(QuickReply) })
export type QuickReplies = Static<typeof QuickReplies>

const Text = () => Lines(maxTextLength, { minLength: 1, format: 'name' })
export const NewQuickReply = Type.Object({ title: Name(), text: Text() })
export type NewQuickReply = Static<typeof NewQuickReply>

const Settings = Type.Partial(NewQuickReply)
/** `was`: the values that the form showed for the fields it changes. */
export const QuickReplyChange = Type.Object({ ...Settings.properties, was: Type.Optional(Settings) })
export type QuickReplyChange = Static<typeof QuickReplyChange>

/** Counts from 1. */
export const QuickReplyPosition = Type.Object({ position: Type.Integer({ minimum: 1, maximum: maxOfAccount }) })

/** `text`: with which WhatsApp was opened. */
export const OpenedWhatsApp = Type.Object({
  quick_reply_id: Nullable(Uuid()),
  text: Type.Optional(Lines(maxFilledLength, { minLength: 1 })),
})
export type OpenedWhatsApp = Static<typeof OpenedWhatsApp>
export const NotedOnTimeline = Type.Object({ summary: Type.String() })
