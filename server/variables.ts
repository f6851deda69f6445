export interface Limits {
  fallback: number
  min: number
  max: number
}

interface Setting {
  /** Set for a whole number. */
  limits?: Limits
  /** What holds if the variable is not set, in words. Without it, nothing does. */
  fallback?: string
  meaning: string
}

/** The environment variables of the service. `npm run limits-pages` writes the table of docs/configuration.md from them. */
export const settings = {
  DOMAIN: {
    meaning:
      'the host name of the service, such as `leads.example.in`: it gets its certificate and serves ' +
      '[HTTPS by itself](deploying.md#automatic-https)',
  },
  PORT: { limits: { fallback: 8080, min: 0, max: 65_535 }, meaning: 'where the service listens; 443 with DOMAIN' },
  HOST: {
    fallback: '127.0.0.1, with DOMAIN all',
    meaning: 'one IP address of this machine, `localhost`, or `0.0.0.0` for all',
  },
  BASE_URL: {
    fallback: 'https://DOMAIN, else http://HOST:PORT',
    meaning:
      'the URL that users and webhook senders use, without a path; changes from pages under another one are rejected',
  },
  DATABASE_URL: {
    meaning:
      'PostgreSQL 15 or newer instead of the embedded one: `postgres://user:password@host/database`, special characters percent-encoded',
  },
  DATABASE_PASSWORD_FILE: { meaning: 'a file with the password of the user in `DATABASE_URL`, which then has none' },
  WORKERS: {
    limits: { fallback: 1, min: 1, max: 64 },
    meaning: 'processes that share the port ([workers](scaling.md#workers))',
  },
  DATABASE_POOL_SIZE: {
    limits: { fallback: 10, min: 4, max: 500 },
    meaning: '[connections](#connections) for requests of one process',
  },
  DATABASE_READ_URL: { meaning: 'a streaming [replica](scaling.md#a-replica), for the overview and exports' },
  DATABASE_APP_URL: {
    fallback: 'created by migrations',
    meaning: "sign-in of the first of the service's [two roles](#your-own-postgresql)",
  },
  DATABASE_DIRECTORY_URL: { fallback: 'created by migrations', meaning: 'sign-in of the second one' },
  DATA_DIR: {
    fallback: './data',
    meaning: 'the embedded database and its password, snapshots before migrations, and the ids of deleted leads',
  },
  BACKUP_DIR: { meaning: 'a folder for [daily backups](backup.md#every-day)' },
  BACKUP_KEEP: { limits: { fallback: 14, min: 1, max: 10_000 }, meaning: 'how many daily backups are kept' },
  CONTINUOUS_BACKUP: {
    meaning:
      'a folder, or a bucket such as `s3://my-bucket/lead-engine`, for the [continuous backup](backup.md#every-change) of the ' +
      'embedded database',
  },
  CONTINUOUS_BACKUP_KEY_FILE: { meaning: 'the file with the key that encrypts it' },
  CONTINUOUS_BACKUP_DAYS: {
    limits: { fallback: 7, min: 1, max: 3650 },
    meaning: 'to how many days ago it can be restored',
  },
  AWS_ENDPOINT_URL: { fallback: "Amazon's", meaning: 'the S3 service of the bucket' },
  AWS_REGION: { fallback: 'us-east-1', meaning: 'its region' },
  AWS_ACCESS_KEY_ID: { meaning: 'the key of the bucket' },
  AWS_SECRET_ACCESS_KEY: { meaning: 'its secret' },
  REDIS_URL: { meaning: 'counts requests of [several machines](scaling.md#several-machines) together' },
  RATE_LIMIT_PER_MINUTE: {
    limits: { fallback: 100, min: 1, max: 1_000_000 },
    meaning: 'requests per minute and API key',
  },
  WEBHOOK_LIMIT_PER_MINUTE: {
    limits: { fallback: 6000, min: 1, max: 10_000_000 },
    meaning: 'deliveries per minute and webhook',
  },
  WEBHOOK_STORAGE_MB_PER_DAY: {
    limits: { fallback: 256, min: 1, max: 1_000_000 },
    meaning: 'MiB of bodies kept per webhook and day ([storage](reference/webhooks.md#storage))',
  },
  WEB_LIMIT_PER_MINUTE: {
    limits: { fallback: 600, min: 1, max: 1_000_000 },
    meaning:
      'requests per minute and session of the web app; [other limits](reference/limits.md#requests) scale with it',
  },
  DELIVERY_RETENTION_DAYS: {
    limits: { fallback: 30, min: 1, max: 3650 },
    meaning: 'how many days deliveries are kept',
  },
  SMTP_URL: {
    meaning: 'the mail server that sends [emails](#email): `smtp://user:password@host:port`, or `smtps://`',
  },
  MAIL_FROM: {
    fallback: '`Lead Engine <no-reply@…>` at the host of BASE_URL',
    meaning:
      'the sender of emails: an email address, or `Name <email>`; required with `SMTP_URL` if BASE_URL has no domain name',
  },
  OIDC_ISSUER: {
    meaning: 'the provider of [single sign-on](single-sign-on.md): a URL that starts with `https://`',
  },
  OIDC_CLIENT_ID: { meaning: 'the application at the provider' },
  OIDC_CLIENT_SECRET: { meaning: 'its secret' },
  OIDC_NAME: {
    fallback: 'single sign-on',
    meaning: 'what the sign-in page calls the provider, at most 40 characters',
  },
  OIDC_ACCOUNT: {
    fallback: 'the only account',
    meaning: 'name or id of the account whose users [sign in with the provider](single-sign-on.md#who-may-sign-in)',
  },
  OIDC_ROLE_CLAIM: {
    fallback: 'none: only invited users sign in',
    meaning: "the claim that has a user's role",
  },
  OIDC_ROLES: {
    fallback: 'each role by its name',
    meaning: 'values of the claim and their roles: `crm-admins=Admin,sales=Agent`',
  },
  OIDC_ONLY: { fallback: 'false', meaning: '`true`: only Admins sign in with a password' },
  TRUST_PROXY: { meaning: 'IP addresses or ranges of proxies whose `X-Forwarded-For` is believed' },
  METRICS_FROM: {
    fallback: '127.0.0.0/8,::1 if BASE_URL is a loopback URL, else none',
    meaning: 'IP addresses or ranges that may read /metrics',
  },
  TLS_CERT_FILE: { meaning: 'the certificate to serve [HTTPS directly](deploying.md#automatic-https)' },
  TLS_KEY_FILE: { meaning: 'its key' },
  ACME_DIRECTORY_URL: {
    fallback: "that of Let's Encrypt",
    meaning: 'the certificate authority of DOMAIN; its terms of service are accepted',
  },
  ACME_CA_FILE: { fallback: "Node's", meaning: 'the certificates to trust at that URL, for an authority of your own' },
  ACME_EMAIL: { meaning: 'how the authority reaches you' },
  ACME_HTTP_PORT: {
    limits: { fallback: 80, min: 1, max: 65_535 },
    meaning: 'where the service answers the authority and redirects other requests to HTTPS; port 80 must lead there',
  },
  LOG_LEVEL: { fallback: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent' },
  LOG_FORMAT: { fallback: 'text on a terminal, else json', meaning: '[lines for people, or JSON](operating.md#logs)' },
} as const satisfies Record<string, Setting>

type Settings = typeof settings
/** The variables that are whole numbers. */
export type NumberName = {
  [Name in keyof Settings]: Settings[Name] extends { limits: Limits } ? Name : never
}[keyof Settings]

export const variables = Object.keys(settings)

/** Names that other programs use for the same thing. `fits` matches the values that are meant for us: Kubernetes sets HTTP_PORT=tcp://… */
const lookAlikes: Record<string, { meant: keyof Settings; example?: string; fits?: RegExp }> = {
  SMTP_HOST: { meant: 'SMTP_URL', example: '=smtp://user:password@host:port' },
  SMTP_SERVER: { meant: 'SMTP_URL', example: '=smtp://user:password@host:port' },
  DB_URL: { meant: 'DATABASE_URL', fits: /^postgres/i },
  HTTP_PORT: { meant: 'PORT', fits: /^\d+$/ },
  DATADIR: { meant: 'DATA_DIR' },
  TLS_CERT: { meant: 'TLS_CERT_FILE' },
  TLS_KEY: { meant: 'TLS_KEY_FILE' },
}

/** Variables of other programs that look like ours: cron sets MAILFROM. */
const ofOthers = ['MAILFROM']

const known = [...variables, ...Object.keys(lookAlikes), ...ofOthers]

const maxNameLength = 40

/** Returns a sentence for each variable that is probably meant for one of ours, which is not set. */
export function misspelt(env: Record<string, string | undefined>): string[] {
  const missing = variables.filter((name) => !env[name]?.trim())
  const alike = Object.entries(lookAlikes).flatMap(([name, { meant, example = '', fits = /./ }]) => {
    // The unit and the container set DATA_DIR.
    const isOpen = missing.includes(meant) || meant === 'DATA_DIR'
    return isOpen && fits.test(env[name]?.trim() ?? '')
      ? [`${name} is not a variable of Lead Engine: did you mean ${meant}${example}? Rename it, or remove it.`]
      : []
  })
  const near = Object.keys(env)
    .filter((name) => name.length <= maxNameLength && !known.includes(name))
    .flatMap((name) => {
      const meant = missing.find((other) => isNearly(name, other))
      return meant ? [`${name} is not a variable of Lead Engine: rename it to ${meant}, or remove it.`] : []
    })
  return [...alike, ...near]
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
