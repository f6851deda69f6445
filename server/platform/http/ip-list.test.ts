import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ipNetwork, normalizeIp, parseIpList } from './ip-list.ts'

for (const [list, ip, included] of [
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.77/24', '203.0.113.1', true],
  ['0.0.0.0/0', '8.8.8.8', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['10.0.0.0/8, 203.0.113.7', '203.0.113.7', true],
  [' 10.0.0.1 ,, 10.0.0.2 ', '10.0.0.2', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
  ['::/0', '2001:db8::1', true],
  ['::/0', '10.0.0.1', false],
  ['10.0.0.1', '::ffff:10.0.0.1', true],
  ['10.0.0.1', '::FFFF:0a00:0001', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.0/104', '10.255.0.1', true],
  ['::ffff:10.0.0.0/104', '11.0.0.1', false],
  ['fe80::1', 'fe80::1%eth0', true],
  ['203.0.113.7', '::ffff:0:203.0.113.7', false],
  ['203.0.113.7', '::ffff:0:cb00:7107', false],
  ['203.0.113.7', '::203.0.113.7', false],
  ['203.0.113.7', '::cb00:7107', false],
  ['203.0.113.7', '64:ff9b::203.0.113.7', false],
  ['203.0.113.7', '64:ff9b:1::203.0.113.7', false],
  ['203.0.113.7', '2002:cb00:7107::1', false],
  ['203.0.113.7', 'fe80::5efe:203.0.113.7', false],
  ['203.0.113.7', '::ffff:203.0.113.7%eth0', false],
  ['::ffff:0:203.0.113.7', '203.0.113.7', false],
  ['::ffff:0:203.0.113.7', '::ffff:0:cb00:7107', true],
  ['10.0.0.0/8', 'garbage', false],
  ['10.0.0.0/8', '', false],
  ['10.0.0.0/8', '10.0.0.1 ', false],
] as const) {
  test(`${list} ${included ? 'holds' : 'does not hold'} ${JSON.stringify(ip)}`, () => {
    assert.equal(parseIpList(list).includes(ip), included)
  })
}

for (const entry of [
  '10.0.0',
  '10.0.0.256',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '010.0.0.1',
  'localhost',
  '::/129',
  '::ffff:10.0.0.0/95',
  '*',
  '10.0.0.1;10.0.0.2',
]) {
  test(`${entry} is rejected, and the error names it`, () => {
    assert.throws(
      () => parseIpList(`203.0.113.7, ${entry}`),
      (error: Error) => error.message.includes(`"${entry}"`),
    )
  })
}

test('an IPv4-mapped address is its IPv4 address', () => {
  assert.equal(normalizeIp('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(normalizeIp('2001:db8::7'), '2001:db8::7')
})

for (const [ip, network] of [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
] as const) {
  test(`${ip} is counted as ${network}`, () => assert.equal(ipNetwork(ip), network))
}
