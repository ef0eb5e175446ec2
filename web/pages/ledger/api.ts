// The ledger as the API tells it: what each of its routes answers.

/** A line of `GET /api/ledger`, and of `GET /api/ledger/self` without what only admins see. */
export interface Entry {
  id: string;
  kind: "grant" | "post" | "void";
  at: number;
  micros: number;
  held_micros: number;
  given_back_micros: number;
  key_id: string | null;
  group: string | null;
  model: string | null;
  price: string | null;
  usage: string | null;
  reason: string | null;
  loss_micros?: number;
  account?: string;
  actor?: string | null;
}

export interface Entries {
  items: Entry[];
  next: string | null;
}

/** What `GET /api/hold` lists, the oldest first. */
export interface Hold {
  id: string;
  kind: "request" | "task";
  account: string;
  key_id: string;
  group: string;
  model: string;
  micros: number;
  price: string;
  created_at: number;
  age_seconds: number;
}

export interface Holds {
  items: Hold[];
  total: number;
  page: number;
  page_size: number;
  /** What all of them hold together. */
  micros: number;
}

interface Sum {
  count: number;
  micros: number;
}

/** What `GET /api/user/{id}/balance` and `GET /api/user/self/balance` answer. */
export interface Balance {
  account: string;
  unlimited: boolean;
  granted_micros: number;
  available_micros: number;
  held_micros: number;
  spent_micros: number;
  adds_up: boolean;
  grants: Sum;
  posts: Sum;
  voids: Sum;
  holds: Sum;
}

export interface Invariant {
  name: string;
  holds: boolean;
  violations: object[];
}

/** What `POST /api/ledger/verify` answers, and `GET` of the last one since the start. */
export interface Verdict {
  ok: boolean;
  at: number;
  took_ms: number;
  rows: { accounts: number; keys: number; holds: number; entries: number };
  invariants: Invariant[];
}
