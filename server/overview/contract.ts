import { Type } from 'typebox'

export const OverviewQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Days, today included.' })),
})
