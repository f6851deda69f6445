import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AutomaticHttps } from '../../server/platform/http/automatic-https.ts'
import { readStoredCertificate } from '../../server/platform/http/certificate.ts'
import { replaceFile } from '../deployment/replace-file.ts'
import { isRoot } from '../embedded/data-folder.ts'
import { type Lock, tryLock } from '../embedded/lock.ts'
import { makeKey, pemOf } from './order-certificate.ts'
import { type Attempts, noAttempts } from './schedule.ts'

/** The files of one authority in DATA_DIR. All processes that use this folder share them. */
export function certificateFolder({ folder, file, domain }: Pick<AutomaticHttps, 'folder' | 'file' | 'domain'>) {
  const attemptsFile = join(folder, `${domain}.json`)
  const accountFile = join(folder, 'account.pem')

  function save(path: string, text: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(path, text, 0o600)
    give(path)
  }

  /** Gives what root writes to the owner of DATA_DIR, who could otherwise not start the service. */
  function give(path: string): void {
    if (!isRoot()) return
    const { uid, gid } = statSync(dirname(dirname(folder)))
    for (const given of [dirname(folder), folder, path]) chownSync(given, uid, gid)
  }

  return {
    /** Returns null if there is none for this host name that can be used. */
    certificate(): X509Certificate | null {
      const { cert } = readStoredCertificate(file)
      if (cert === null) return null
      const certificate = new X509Certificate(cert)
      return certificate.checkHost(domain) ? certificate : null
    },
    saveCertificate: (pem: string) => save(file, pem),
    /** Returns the key of the account at the authority, which makes the account when it first sees it. */
    accountKey(): KeyObject {
      if (!existsSync(accountFile)) save(accountFile, String(pemOf(makeKey())))
      return createPrivateKey(readFileSync(accountFile))
    },
    attempts(): Attempts {
      if (!existsSync(attemptsFile)) return noAttempts
      return readAttempts(readFileSync(attemptsFile, 'utf8'))
    },
    saveAttempts: (attempts: Attempts) => save(attemptsFile, JSON.stringify(attempts)),
    /** Undefined while another process asks the authority. */
    lock(): Lock | undefined {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, 'order.lock')
      const lock = tryLock(path, 'exclusive')
      if (lock) give(path)
      return lock
    },
  }
}

/** A file that was damaged counts as none. */
export function readAttempts(text: string): Attempts {
  try {
    const { failed, at, retryAt } = JSON.parse(text)
    const read = {
      failed: Number(failed),
      at: (at as string[]).map(timeOf),
      retryAt: retryAt === null ? null : timeOf(retryAt),
    }
    return Number.isInteger(read.failed) ? read : noAttempts
  } catch {
    return noAttempts
  }
}

function timeOf(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new Error(`${text} is no time`)
  return time
}
