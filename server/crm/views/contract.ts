import { type Static, Type } from 'typebox'
import { Line, Nullable, Uuid } from '../../platform/http/contract.ts'
import { allTime, calendarPeriods } from '../../platform/periods/contract.ts'
import { AnswerColumn, LeadSearch, maxQuestions, viewColumns } from '../leads/contract.ts'

/** Views of a user, and shared views of an account. */
export const maxViews = 50
export const maxViewNameLength = 60

const { limit, offset, reverse, ...filters } = LeadSearch.properties

const days = Type.Optional(Type.Integer({ minimum: 1, maximum: allTime }))
const period = Type.Optional(Type.Enum([...calendarPeriods]))

/** The parameters of the list's URL. Days and periods are read on the day on which the view is opened. */
export const ViewSearch = Type.Object({
  ...filters,
  days,
  period,
  closed_days: days,
  closed_period: period,
  reverse: Type.Optional(Type.Boolean()),
  columns: Type.Optional(
    Type.Array(Type.Union([Type.Enum([...viewColumns]), AnswerColumn]), {
      maxItems: viewColumns.length + maxQuestions,
    }),
  ),
})
export type ViewSearch = Static<typeof ViewSearch>

const ViewName = Line(maxViewNameLength, { minLength: 1, format: 'name' })
/** `shared`: by an Admin with the account, by a Manager with their team. */
const Settings = { name: ViewName, search: ViewSearch, shared: Type.Boolean() }

export const NewView = Type.Object(Settings)
export type NewView = Static<typeof NewView>

/** `was`: the values that the page showed for what it changes. */
export const ViewChange = Type.Object({
  ...Type.Partial(NewView).properties,
  was: Type.Optional(Type.Partial(NewView)),
})
export type ViewChange = Static<typeof ViewChange>

export interface View extends NewView {
  id: string
  /** Others only open it. */
  may_change: boolean
}

/** By id. Null: it took too long to count. Views that are not counted yet are left out. */
export const ViewCounts = Type.Record(Uuid(), Nullable(Type.Object({ total: Type.Integer(), capped: Type.Boolean() })))
export type ViewCounts = Static<typeof ViewCounts>
