// Log of the sandbox's requests and of how each ended, so that tests can look from outside.

export type Outcome = "completed" | "refused" | "faulted" | "aborted";

export interface CallRecord {
  path: string;
  /** The caller's own `x-request-id`. */
  requestId: string | null;
  model: string | null;
  bearerLast4: string | null;
  stream: boolean;
  /** Null until the answer has begun. */
  status: number | null;
  /** Null while the request is open. */
  outcome: Outcome | null;
  aborted: boolean;
  bytesSent: number;
}

export interface SandboxCalls {
  total: number;
  open: number;
  /** Requests whose client went away before the end. */
  aborted: number;
  byPath: Record<string, Record<Outcome, number>>;
  /** The newest requests, oldest first. */
  recent: CallRecord[];
}

/** Facts that a vendor learns about a request while reading it. */
export interface Seen {
  model?: string;
  bearer?: string;
  stream?: boolean;
}

const recentMax = 1000;
const pathsMax = 100;
const otherPaths = "other";

export class CallLog {
  #total = 0;
  #open = 0;
  #aborted = 0;
  readonly #byPath = new Map<string, Record<Outcome, number>>();
  readonly #recent: CallRecord[] = [];

  begin(path: string, requestId: string | null): OpenCall {
    const record = emptyRecord(path, requestId);
    this.#total++;
    this.#open++;
    this.#recent.push(record);
    if (this.#recent.length > recentMax) this.#recent.shift();
    return new OpenCall(record, (outcome) => this.#end(path, outcome));
  }

  snapshot(): SandboxCalls {
    return {
      total: this.#total,
      open: this.#open,
      aborted: this.#aborted,
      byPath: Object.fromEntries([...this.#byPath].map(([path, counts]) => [path, { ...counts }])),
      recent: this.#recent.map((record) => ({ ...record })),
    };
  }

  #end(path: string, outcome: Outcome): void {
    this.#open--;
    if (outcome === "aborted") this.#aborted++;
    const isKnown = this.#byPath.has(path) || this.#byPath.size < pathsMax;
    const name = isKnown ? path : otherPaths;
    const counts = this.#byPath.get(name) ?? { completed: 0, refused: 0, faulted: 0, aborted: 0 };
    counts[outcome]++;
    this.#byPath.set(name, counts);
  }
}

/** One request from its first byte to its end; only the first end counts. */
export class OpenCall {
  readonly #record: CallRecord;
  readonly #ended: (outcome: Outcome) => void;

  constructor(record: CallRecord, ended: (outcome: Outcome) => void) {
    this.#record = record;
    this.#ended = ended;
  }

  note({ model, bearer, stream }: Seen): void {
    if (model !== undefined) this.#record.model = model;
    if (bearer !== undefined) this.#record.bearerLast4 = bearer.slice(-4);
    if (stream !== undefined) this.#record.stream = stream;
  }

  begun(status: number): void {
    this.#record.status = status;
  }

  sent(bytes: number): void {
    this.#record.bytesSent += bytes;
  }

  end(outcome: Outcome): void {
    if (this.#record.outcome !== null) return;
    this.#record.outcome = outcome;
    this.#record.aborted = outcome === "aborted";
    this.#ended(outcome);
  }
}

function emptyRecord(path: string, requestId: string | null): CallRecord {
  return {
    path,
    requestId,
    model: null,
    bearerLast4: null,
    stream: false,
    status: null,
    outcome: null,
    aborted: false,
    bytesSent: 0,
  };
}
