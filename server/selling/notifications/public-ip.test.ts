import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicIp, isPublicUrl } from './public-ip.ts'

const hidden = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
  ],
  ...[
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    'fc00::1',
    'fe80::1',
  ],
  ...['ff02::1', '2001:db8::1', '2002:a00:1::', '64:ff9b::a00:1', 'localhost', ''],
]
for (const ip of hidden) test(`no message is sent to ${ip || 'nothing'}`, () => assert.equal(isPublicIp(ip), false))

for (const ip of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001:800::200e'])
  test(`${ip} is public`, () => assert.equal(isPublicIp(ip), true))

for (const url of [
  'https://fcm.googleapis.com/fcm/send/x',
  'https://web.push.apple.com/x',
  'https://a.notify.windows.com/w/?t=1',
])
  test(`${url} may be a push service`, () => assert.equal(isPublicUrl(url), true))

for (const url of [
  'https://0x7f.1/x',
  'https://2130706433/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://printer.local/x',
  'https://intranet/x',
])
  test(`${url} is no push service`, () => assert.equal(isPublicUrl(url), false))
