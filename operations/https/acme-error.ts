/** The authority said no. */
export class AcmeError extends Error {
  /** As in RFC 8555, without its prefix: `rateLimited`. Empty if the answer has none. */
  readonly type: string
  /** Before this time the authority does not want to be asked again. */
  readonly retryAt: Date | null

  constructor(type: string, detail: string, retryAt: Date | null = null) {
    super(detail)
    this.type = type
    this.retryAt = retryAt
  }
}

interface ProblemDocument {
  type?: unknown
  detail?: unknown
}

const maxDetail = 500

export function errorOf(problem: unknown, status: number, retryAt: Date | null): AcmeError {
  const { type, detail } = (problem ?? {}) as ProblemDocument
  const plain = typeof detail === 'string' ? detail : `status ${status} without a reason`
  // What another server says goes into the log as one line.
  const line = plain.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxDetail)
  return new AcmeError(typeof type === 'string' ? type.replace('urn:ietf:params:acme:error:', '') : '', line, retryAt)
}
