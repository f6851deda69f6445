/** Where objects are kept: a folder, or a bucket. Names have parts with slashes between. */
export interface Target {
  /** As people know it: /mnt/backup or s3://bucket/prefix. */
  name: string
  /** Replaces an object of this name. */
  put(name: string, content: Buffer): Promise<void>
  /** Returns false if there is an object of this name. */
  putNew(name: string, content: Buffer): Promise<boolean>
  /** Null if there is none. */
  get(name: string): Promise<Buffer | null>
  /** The objects whose name starts with `prefix`, which ends with a slash, in the order of their names. */
  list(prefix: string): Promise<StoredObject[]>
  /** Objects that are gone already are no error. */
  remove(names: string[]): Promise<void>
}

export interface StoredObject {
  name: string
  written_at: Date
}

/** The target does not do what it is asked. The message says what is wrong and what to do. */
export class TargetProblem extends Error {}
