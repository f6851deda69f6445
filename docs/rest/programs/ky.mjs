import { randomUUID } from 'node:crypto'
import ky from 'ky'

const { URL: url, KEY: key } = process.env
if (!url || !key) throw new Error('Set the environment variables URL and KEY.')
const api = ky.create({
  prefixUrl: url,
  headers: { Authorization: `Bearer ${key}` },
  timeout: 30_000,
  retry: {
    limit: 5,
    methods: ['get', 'post', 'delete'],
    statusCodes: [408, 429, 500, 502, 503, 504],
    afterStatusCodes: [429, 503],
    maxRetryAfter: 60_000,
  },
})
const headers = { 'Idempotency-Key': randomUUID() }
const { data } = await api.post('leads', { json: { name: 'Asif Khan', phone: '98100 12399' }, headers }).json()
console.log(data.name)
