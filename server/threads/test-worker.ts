import { answerMessages } from './answer-messages.ts'

interface Message {
  echo?: unknown
  fail?: string
  spin?: true
  exit?: true
  hoard?: true
}

/** Misbehaves as the tests of the threads ask. */
answerMessages(({ echo, fail, spin, exit, hoard }: Message) => {
  if (fail) throw new Error(fail)
  if (exit) process.exit(1)
  while (spin);
  for (const held: unknown[] = []; hoard; ) held.push({ more: [held.length] })
  return echo
})
