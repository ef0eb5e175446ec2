// A request whose address or cloud says in a way of its own what a row reads in the body and in the
// headers: whoever reads the body gets the row's own words.
import { encodeJson, type JsonObject } from "../../core/json.ts";
import type { Scope } from "../../gateway/scope.ts";
import type { BodyTypes, JsonBody } from "../body.ts";
import type { Incoming } from "../route.ts";

/** A body and its headers as the row itself takes them. */
interface Rewritten {
  body: JsonObject;
  headers: Headers;
}

export type Rewrite = (body: JsonObject, incoming: Incoming) => Rewritten;

export class RewrittenIncoming implements Incoming {
  readonly #inner: Incoming;
  readonly #rewrite: Rewrite;
  readonly #types: BodyTypes;
  /** The client's own until the body is read, which may add to them. */
  headers: Headers;

  constructor(inner: Incoming, rewrite: Rewrite, types: BodyTypes) {
    this.#inner = inner;
    this.#rewrite = rewrite;
    this.#types = types;
    this.headers = inner.headers;
  }

  get scope(): Scope {
    return this.#inner.scope;
  }

  get params(): Incoming["params"] {
    return this.#inner.params;
  }

  get query(): URLSearchParams {
    return this.#inner.query;
  }

  get ip(): string {
    return this.#inner.ip;
  }

  get address(): string | null {
    return this.#inner.address;
  }

  async json(bytesMax: number): Promise<JsonBody> {
    return this.#rewritten(await this.#inner.json(bytesMax, this.#types));
  }

  async jsonOrForm(bytesMax: number): Promise<JsonBody> {
    return this.#rewritten(await this.#inner.jsonOrForm(bytesMax));
  }

  pieces(bytesMax: number): AsyncIterable<Uint8Array> {
    return this.#inner.pieces(bytesMax);
  }

  /** Bytes are those of the rewritten body, for whoever tells one request from another by them. */
  #rewritten({ value, bytes }: JsonBody): JsonBody {
    const { body, headers } = this.#rewrite(value, this.#inner);
    this.headers = headers;
    const isCompared = headers.has("idempotency-key");
    return { value: body, bytes, ...(isCompared && { raw: encodeJson(body) }) };
  }
}
