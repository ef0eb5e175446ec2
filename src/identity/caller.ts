// The caller. Built once when a key is first seen, and thrown away when anything of it changes.
import type { ChannelPreference } from "../config/fields.ts";
import type { AccountId, ChannelId, KeyId, ProjectId, SessionId } from "../core/ids.ts";
import type { ShortageWords } from "../quota/cap.ts";
import type { CallerBudgets } from "./budgets/budgets.ts";
import type { ModelRates } from "./model-rates.ts";
import type { OwnNames } from "./own-names.ts";
import type { RateSubject } from "./rate-subject.ts";
import type { SeatRole } from "./role.ts";
import type { Rights } from "./roles/rights.ts";

/** A request with an API key. */
export interface Caller {
  accountId: AccountId;
  username: string;
  keyId: KeyId;
  keyName: string;
  /** Member of its organisation that made the key; null: the account itself. */
  makerId: AccountId | null;
  /** Project of its organisation that the key is in. */
  projectId: ProjectId | null;
  group: string;
  multiplierPpm: number;
  /** Channels of one priority that its group prefers; absent where their weights decide. */
  prefer?: ChannelPreference;
  /** Null: every model of the group. */
  models: ReadonlySet<string> | null;
  /** Model aliases; absent where it has none. */
  ownNames?: OwnNames;
  allowIps: readonly string[] | null;
  expiresAtMs: number | null;
  /** It may do less than its account, so it does not see all that its account has. */
  isRestricted: boolean;
  /** Its prompts and answers are kept, where the gateway keeps any. */
  logsContent?: true;
  /** The root account. */
  isRoot?: true;
  /** Its account waits for an operator. */
  isWaiting?: true;
  /** It may name the channel that a request goes to. */
  mayPin?: true;
  /** The channel that it wants this request to go to, which few may say. */
  pinned?: ChannelId;
  rates: readonly RateSubject[];
  /** Made by one who is not told the money of its organisation. */
  isOfMember?: true;
  /** Absent where a refusal for want of money may say all that it knows. */
  shortageWords?: ShortageWords;
  /** Absent where it falls under none. */
  budgets?: CallerBudgets;
  /** Rates of single models; absent where it has none. */
  modelRates?: ModelRates;
}

/** A request to the control plane, by access token or by session. */
export interface Operator extends Rights {
  accountId: AccountId;
  username: string;
  /** Only of one that is signed in. */
  sessionId?: SessionId;
  /** End of the access token that makes the call; what it makes must not outlive that. */
  expiresAtMs?: number;
  /** An access token that changes nothing. */
  isReadOnly?: true;
  /** From where the request comes. */
  ip?: string;
  /** The token of the command line on this machine. */
  isCommandLine?: true;
  /** It acts in this organisation alone, as its access token says. */
  boundTo?: AccountId;
  /** Set where it acts for an organisation, whose account and name the fields above are then. */
  seat?: Seat;
}

/** A person in an organisation. */
export interface Seat {
  personId: AccountId;
  username: string;
  /** Role of the person on the platform, which means nothing here but is on record. */
  platformRole: string;
  role: SeatRole;
  /** Project that its new keys are in unless another is said. */
  projectId: ProjectId | null;
}
