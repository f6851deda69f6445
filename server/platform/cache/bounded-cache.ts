interface Entry<Value> {
  account_id: string
  value: Value
  bytes: number
}

interface OfAccount {
  keys: Set<string>
  bytes: number
}

/**
 * Values of accounts, in limited memory. What is beyond it replaces the oldest values, and what is beyond an account's share its own. A
 * value that is larger than the share is not kept.
 */
export class BoundedCache<Value> {
  readonly #maxBytes: number
  readonly #maxOfAccount: number
  /** The oldest first, here and in each account. */
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #accounts = new Map<string, OfAccount>()
  #bytes = 0

  constructor(max: { bytes: number; bytesOfAccount: number }) {
    this.#maxBytes = max.bytes
    this.#maxOfAccount = max.bytesOfAccount
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** `bytes`: how much memory the value takes. */
  set(key: string, account_id: string, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#maxOfAccount) return
    let own = this.#accounts.get(account_id)
    while (own && own.bytes + bytes > this.#maxOfAccount) this.delete(own.keys.values().next().value!)
    while (this.#bytes + bytes > this.#maxBytes) this.delete(this.#entries.keys().next().value!)
    // Deleting its last value removed it.
    own = this.#accounts.get(account_id) ?? { keys: new Set(), bytes: 0 }
    this.#accounts.set(account_id, own)
    own.keys.add(key)
    own.bytes += bytes
    this.#entries.set(key, { account_id, value, bytes })
    this.#bytes += bytes
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    const own = this.#accounts.get(entry.account_id)!
    own.keys.delete(key)
    own.bytes -= entry.bytes
    if (own.keys.size === 0) this.#accounts.delete(entry.account_id)
  }

  deleteAccount(accountId: string): void {
    for (const key of [...(this.#accounts.get(accountId)?.keys ?? [])]) this.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#accounts.clear()
    this.#bytes = 0
  }
}
