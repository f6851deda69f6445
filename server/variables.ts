/** The environment variables of the service, in the order of docs/configuration.md. */
export const variables = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATABASE_URL',
  'DATABASE_PASSWORD_FILE',
  'WORKERS',
  'DATABASE_POOL_SIZE',
  'DATABASE_READ_URL',
  'DATABASE_APP_URL',
  'DATABASE_DIRECTORY_URL',
  'DATA_DIR',
  'BACKUP_DIR',
  'BACKUP_KEEP',
  'CONTINUOUS_BACKUP',
  'CONTINUOUS_BACKUP_KEY_FILE',
  'CONTINUOUS_BACKUP_DAYS',
  'AWS_ENDPOINT_URL',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'REDIS_URL',
  'RATE_LIMIT_PER_MINUTE',
  'WEBHOOK_LIMIT_PER_MINUTE',
  'WEBHOOK_STORAGE_MB_PER_DAY',
  'WEB_LIMIT_PER_MINUTE',
  'DELIVERY_RETENTION_DAYS',
  'SMTP_URL',
  'MAIL_FROM',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_ACCOUNT',
  'OIDC_ROLE_CLAIM',
  'OIDC_ROLES',
  'OIDC_ONLY',
  'TRUST_PROXY',
  'METRICS_FROM',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'LOG_LEVEL',
  'LOG_FORMAT',
]

/** Variables of other programs that look like ours: cron sets MAILFROM. */
const ofOthers = ['MAILFROM']

const longestName = 40

/** Returns a sentence for each variable whose name is nearly that of one of ours, which is not set. */
export function misspelt(env: Record<string, string | undefined>): string[] {
  const missing = variables.filter((name) => !env[name]?.trim())
  return Object.keys(env)
    .filter((name) => name.length <= longestName && !variables.includes(name) && !ofOthers.includes(name))
    .flatMap((name) => {
      const meant = missing.find((other) => isNearly(name, other))
      return meant ? [`${name} is not a variable of Lead Engine: rename it to ${meant}, or remove it.`] : []
    })
}

/** Whether the letters are the same, or one of them is missing, added, changed or exchanged with the next. */
function isNearly(name: string, right: string): boolean {
  const [one, other] = [name, right].map((text) => text.toUpperCase().replace(/[^A-Z]/g, ''))
  // Short names are too near to those of other programs.
  if (right.length < 7) return false
  return one === other || differByOne(one!, other!)
}

function differByOne(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rests = [short.slice(at), long.slice(at)] as const
  if (short.length < long.length) return rests[0] === rests[1].slice(1)
  const areExchanged = rests[0][0] === rests[1][1] && rests[0][1] === rests[1][0]
  return rests[0].slice(1) === rests[1].slice(1) || (areExchanged && rests[0].slice(2) === rests[1].slice(2))
}
