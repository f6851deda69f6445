import { spawn } from 'node:child_process'
import { connect } from 'node:net'

/** Whether tests can start a Redis of their own. */
export const hasRedis = await new Promise<boolean>((resolve) => {
  spawn('redis-server', ['--version'], { stdio: 'ignore' })
    .on('error', () => resolve(false))
    .on('exit', (code) => resolve(code === 0))
})

/** Starts a Redis without files, which is killed when the test ends. */
export async function startRedis(t: { after(work: () => unknown): void }, port: number) {
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  })
  t.after(() => redis.kill('SIGKILL'))
  await new Promise<void>((resolve) => {
    const tryIt = () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve()
      }).on('error', () => setTimeout(tryIt, 20))
    }
    tryIt()
  })
  return redis
}
