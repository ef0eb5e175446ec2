// Yield of a reader of another program's database: its things in neutral words, with names and
// money as they are there. One place (plan.ts) makes them fit for us.
import type { KeyBounds } from "../../admin/import/contract.ts";
import type { BudgetFields } from "../../config/budget.ts";
import type { ChannelInput, PriceInput } from "../../config/entities.ts";

interface Rates {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrency: number | null;
}

export const noRates: Rates = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
};

export interface SnapshotAccount {
  /** Its id over there, which also tells the older of two. */
  ref: string;
  name: string;
  /** It is an organisation, which nobody signs in to. */
  isOrganisation?: true;
  /** A bcrypt hash, or empty. */
  passwordHash: string;
  isAdmin: boolean;
  isEnabled: boolean;
  group: string;
  isUnlimited: boolean;
  /** Balance in the program's own unit; negative is a debt. */
  units: bigint;
  createdAt: number | null;
  /** The secret of an authenticator app, in base32. */
  totp: string | null;
  /** True where something other than the password opens it and comes along. */
  hasOtherWayIn: boolean;
  rates: Rates;
}

export interface SnapshotKey {
  ref: string;
  owner: string;
  /** Project of its organisation that it is in. */
  project?: string;
  /** Member of its organisation that it is of. */
  maker?: string;
  hash: string;
  shown: string;
  name: string;
  /** Null: that of its account. */
  group: string | null;
  isEnabled: boolean;
  /** Rest that it may still spend; null: no limit of its own. */
  limitUnits: bigint | null;
  bounds: KeyBounds;
  createdAt: number | null;
  rates: Rates;
}

export interface SnapshotProject {
  ref: string;
  organisation: string;
  name: string;
  isEnabled: boolean;
}

export interface SnapshotMember {
  organisation: string;
  person: string;
  role: "admin" | "member" | "viewer";
  /** Project of the keys that the person makes there. */
  project?: string;
}

export interface SnapshotBudget {
  ref: string;
  account: string;
  scope: "account" | "member" | "project" | "key";
  /** Null for the whole account. */
  subject: string | null;
  name: string;
  limitMicros: bigint;
  rhythm: Pick<BudgetFields, "period" | "hours">;
}

export interface SnapshotChannel {
  ref: string;
  name: string;
  groups: string[];
  /** Without its name and groups. */
  settings: Omit<ChannelInput, "name" | "groups">;
  disabledKeys: number[];
}

export interface SnapshotCode {
  ref: string;
  hash: string;
  shown: string;
  name: string;
  units: bigint;
  expiresAt: number | null;
}

export interface SnapshotIdentity {
  ref: string;
  owner: string;
  provider: string;
  issuer: string;
  subject: string;
}

export interface SnapshotAnnouncement {
  ref: string;
  title: string;
  text: string;
  startsAt: number | null;
}

/** Something that did not come, or not as it was. */
export interface Remark {
  /** Subject of the remark: a kind of thing with its name, never a secret. */
  about: string;
  why: string;
}

/** So many of a thing, as people say it. */
export function counted(count: bigint | number, thing: string): string {
  return `${count} ${thing}${BigInt(count) === 1n ? "" : "s"}`;
}

export interface ImportSnapshot {
  /** Units of the program in a dollar. */
  unitsPerDollar: bigint;
  groups: { name: string; multiplier: number }[];
  accounts: SnapshotAccount[];
  projects?: SnapshotProject[];
  members?: SnapshotMember[];
  keys: SnapshotKey[];
  budgets?: SnapshotBudget[];
  channels: SnapshotChannel[];
  prices: PriceInput[];
  /** Models that channels serve and that have no price there. */
  unpriced: string[];
  codes: SnapshotCode[];
  identities: SnapshotIdentity[];
  announcements: SnapshotAnnouncement[];
  /** Total of all accounts, added up by the database itself. */
  totalUnits: bigint;
  /** Units of accounts that are left behind. */
  leftUnits: bigint;
  /** Lines of our configuration file that say what options said there. */
  configuration: string[];
  remarks: Remark[];
}

/** One for each program. */
export interface SnapshotReader {
  /** The program's name on the command line. */
  program: string;
  read(ask: SnapshotAsk): Promise<ImportSnapshot>;
}

export interface SnapshotAsk {
  /** A file or an address, as it was given. */
  from: string;
  /** Another file that belongs to it; null where none was given. */
  config: string | null;
  /** Channels may lead to private addresses. */
  allowPrivate: boolean;
  /** Salt that opens encrypted values there; null where none was given. */
  salt: string | null;
  /** Variables that a configuration file of theirs may name. */
  environment: Readonly<Record<string, string | undefined>>;
  readFile(path: string): string | null;
}
