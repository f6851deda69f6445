import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDevice } from './device.ts'

test('a session is named after its browser and system', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  for (const [agent, name, isPhone] of [
    [`Mozilla/5.0 (Linux; Android 15) ${chrome} Mobile Safari/537.36`, 'Chrome on Android', true],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0`, 'Edge on Windows', false],
    [
      `Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 ${chrome} Mobile Safari/537.36`,
      'Samsung Internet on Android',
      true,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari on iPhone',
      true,
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS', false],
    ['curl/8.5.0', 'Unknown device', false],
    [null, 'Unknown device', false],
  ] as const)
    assert.deepEqual(describeDevice(agent), { name, isPhone })
})
