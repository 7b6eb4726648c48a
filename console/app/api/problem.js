// Why the service did not do what it was asked.

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || `the service answered with status ${status}`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.hint = body.hint;
    this.details = body.details ?? [];
    this.question = body.question;
    this.version = body.version;
  }

  /** Nobody is signed in, or the token was revoked. */
  get needsSignIn() {
    return this.status === 401;
  }
}

/** The service was not reached: nobody knows whether it did anything. */
export class Unreachable extends Error {
  constructor(cause) {
    super('the service cannot be reached', { cause });
    this.code = 'unreachable';
    this.hint = 'is `assay serve` still running?';
    this.details = [];
  }
}
