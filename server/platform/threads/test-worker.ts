import { answerMessages } from './answer-messages.ts'

interface Message {
  echo?: unknown
  fail?: string
  spin?: true
  exit?: true
  hoard?: true
}

/** A worker that misbehaves, for the tests. */
answerMessages(({ echo, fail, spin, exit, hoard }: Message) => {
  if (fail) throw new Error(fail)
  if (exit) process.exit(1)
  while (spin);
  for (const held: unknown[] = []; hoard; ) held.push({ more: [held.length] })
  return echo
})
