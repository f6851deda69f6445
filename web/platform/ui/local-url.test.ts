import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocalUrl } from './local-url.ts'

test('a URL is local if only this computer can open it', () => {
  const local = [
    'http://127.0.0.1:8080/webhook/x',
    'http://localhost',
    'https://leads.localhost',
    'http://[::1]:80',
    'http://0.0.0.0',
  ]
  for (const url of local) assert.equal(isLocalUrl(url), true, url)
  const others = [
    'https://leads.example.com',
    'http://192.168.1.5:8080',
    'https://localhost.example.com',
    'http://127.example',
  ]
  for (const url of others) assert.equal(isLocalUrl(url), false, url)
})
