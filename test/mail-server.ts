import { createServer, type Socket } from 'node:net'

interface ReceivedMail {
  from: string
  to: string[]
  /** As sent, with its quoted-printable and its base64 undone. */
  content: string
}

/** A mail server that accepts everything except what it is set to reject; a silent one never answers. */
export async function mailServer({ silent = false, rejects = '' } = {}) {
  const mails: ReceivedMail[] = []
  const logins: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (!silent) converse(socket)
  })

  function converse(socket: Socket) {
    let mail: ReceivedMail = { from: '', to: [], content: '' }
    let waiting = ''
    let writing = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      waiting += chunk
      if (writing) return takeContent()
      for (let end = waiting.indexOf('\r\n'); end >= 0 && !writing; end = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, end)
        waiting = waiting.slice(end + 2)
        answer(line)
      }
    })

    function answer(line: string) {
      const word = line.slice(0, 4).toUpperCase()
      if (rejects && line.toLowerCase().includes(rejects.toLowerCase())) return say(`550 no: ${line}`)
      if (word === 'EHLO') return say('250-test\r\n250 AUTH PLAIN')
      if (word === 'STAR') return say('502 not here')
      if (word === 'AUTH') {
        logins.push(Buffer.from(line.split(' ').at(-1)!, 'base64').toString())
        return say('235 welcome')
      }
      if (word === 'MAIL') mail = { from: /<(.*)>/.exec(line)![1]!, to: [], content: '' }
      if (word === 'RCPT') mail.to.push(/<(.*)>/.exec(line)![1]!)
      if (word === 'DATA') {
        writing = true
        return say('354 go on')
      }
      say(word === 'QUIT' ? '221 bye' : '250 fine')
      if (word === 'QUIT') socket.end()
    }

    function takeContent() {
      const end = waiting.indexOf('\r\n.\r\n')
      if (end < 0) return
      mails.push({ ...mail, content: plain(waiting.slice(0, end)) })
      waiting = waiting.slice(end + 5)
      writing = false
      say('250 taken')
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    logins,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function plain(sent: string): string {
  const bytes = sent
    .replace(/(Content-Transfer-Encoding: )base64\r\n\r\n([\w+/=\r\n]+)/g, (_, header: string, encoded: string) => {
      const lines = Buffer.from(encoded, 'base64').toString('latin1').replace(/\r?\n/g, '\r\n')
      return `${header}8bit\r\n\r\n${lines}\r\n`
    })
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
