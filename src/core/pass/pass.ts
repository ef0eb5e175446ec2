// Credentials that are not sent as they are: exchanged for a token that ends, or kept to sign each
// request by its bytes. An upstream says how (`Pass`); `with-passes.ts` does it, in one place for
// every call that goes out.

/** A request that is whole but for the headers that prove who sends it. */
export interface UnsignedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
}

/** Proof of a credential, as it is held until it ends. */
export interface PassGrant {
  /** Headers for this very request; pure. */
  sign(request: UnsignedRequest, nowSeconds: number): Record<string, string>;
  /** Null where it does not end, so that there is nothing to exchange anew. */
  expiresAtSeconds: number | null;
  /** Texts that nobody may read. */
  secrets: readonly string[];
}

export interface Pass {
  /** The purpose, among those of one key: equal names share a grant. Holds no secret. */
  name: string;
  /** Throws what the flow judges, such as a refusal of the key. */
  obtain(means: PassMeans): Promise<PassGrant>;
  /** Whether a reply says that the grant has ended. Where absent: 401. */
  isRefused?(status: number, headers: Headers): boolean;
}

/** A small call on the way to a grant. */
export interface PassCall {
  method: "GET" | "POST" | "PUT";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** To the machine's own metadata, which no proxy reaches. */
  isLocal?: true;
  /** Refused where the host's name stands for a private address. */
  isPublic?: true;
}

export interface PassReply {
  status: number;
  headers: Headers;
  text: string;
}

export interface PassMeans {
  nowSeconds: number;
  send(call: PassCall): Promise<PassReply>;
  /** A variable of the process's environment, if it is one that `config` lets in. */
  variable(name: string): string | undefined;
  /** Read anew each time, as tokens in files are replaced. */
  readFile(path: string): Promise<string>;
}

export interface HeldGrant {
  grant: PassGrant | null;
  /** The one before, of which an answer that is under way may still tell. */
  former: PassGrant | null;
  /** One exchange at a time, whoever waits for it. */
  flight: Promise<PassGrant> | null;
  refreshAtSeconds: number;
  /** The moment at which the last grant took the place of one that was refused. */
  replacedAtSeconds: number;
}

/** Grants of one key, by the name of their pass: in memory alone. */
export type HeldGrants = Map<string, HeldGrant>;

/** The pass of a request, and where its grant is held. */
export interface OutboundPass {
  pass: Pass;
  held: HeldGrants;
}

export function grantSecrets(held: HeldGrants | undefined): string[] {
  const grants = [...(held?.values() ?? [])].flatMap(({ grant, former }) => [grant, former]);
  return grants.flatMap((grant) => grant?.secrets ?? []);
}
