// A request as routes see it: its parameters, its credential, and its body in time.
import type { Server } from "bun";
import type { Deadlines, Watch } from "../core/deadline.ts";
import type { Scope } from "../gateway/scope.ts";
import { refusedCredential } from "../identity/refused-credential.ts";
import { readJsonBody, readPieces, type BodyTypes, type BodyWait, type JsonBody } from "./body.ts";
import { calledAddress } from "./client/called-address.ts";
import type { ClientCall } from "./client/client-call.ts";
import { listCredentials, readCredential, type Carrier } from "./credentials.ts";
import type { SentTarget } from "./gate.ts";
import { assertKnownQuery } from "./known-query.ts";
import { isForm, readFormBody } from "./multipart.ts";
import type { Incoming, Route } from "./route.ts";
import type { OriginRules } from "./session/origin.ts";
import type { Answered } from "./stream-response.ts";

/**
 * Silence allowed to a connection; also the time in which the rest of a refused body is thrown
 * away.
 */
export const requestIdleSeconds = 30;

/** Well within that: an answer that takes longer is waited for without a bound on silence. */
const longAnswerMs = 10_000;

interface IncomingFacts {
  request: Request;
  server: Pick<Server<undefined>, "timeout">;
  target: SentTarget;
  params: Incoming["params"];
  call: ClientCall;
  deadlines: Deadlines;
  bodyMs: number;
  rules: OriginRules;
}

export class RequestIncoming implements Incoming, BodyWait, Answered {
  readonly #facts: IncomingFacts;
  #watch: Watch | null = null;
  #takesTime = false;
  #long: Watch | null = null;
  #mayBeSilent = false;

  constructor(facts: IncomingFacts) {
    this.#facts = facts;
  }

  get params(): Incoming["params"] {
    return this.#facts.params;
  }

  get scope(): Scope {
    return this.#facts.call.scope;
  }

  get headers(): Headers {
    return this.#facts.request.headers;
  }

  get ip(): string {
    return this.#facts.call.ip;
  }

  get address(): string | null {
    return calledAddress(this.headers, this.#facts.rules);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#facts.target.query);
  }

  checkQuery(route: Route): void {
    if (this.#facts.target.query !== "") assertKnownQuery(route, this.query);
  }

  json(bytesMax: number, types?: BodyTypes): Promise<JsonBody> {
    return readJsonBody(this.#facts.request, bytesMax, this, types);
  }

  jsonOrForm(bytesMax: number): Promise<JsonBody> {
    const { request } = this.#facts;
    return isForm(request.headers)
      ? readFormBody(request, bytesMax, this)
      : readJsonBody(request, bytesMax, this);
  }

  pieces(bytesMax: number): AsyncIterable<Uint8Array> {
    return readPieces(this.#facts.request, bytesMax, this);
  }

  secret(carriers: readonly Carrier[]): string {
    const secret = readCredential(this.headers, this.#facts.target.query, carriers);
    if (secret === null) throw refusedCredential("missing");
    return secret;
  }

  /** All that differ, where `secret` found that they do. */
  secrets(carriers: readonly Carrier[]): string[] {
    return listCredentials(this.headers, this.#facts.target.query, carriers);
  }

  begin(late: () => void): void {
    this.#watch = this.#facts.deadlines.watch(this.#facts.bodyMs, late);
  }

  end(): void {
    this.#watch?.end();
    if (this.#takesTime) this.#takeTime();
  }

  /** While its body comes, a client that is silent is left as on every other route. */
  willTakeTime(): void {
    this.#takesTime = true;
    if (this.#facts.request.method === "GET") this.#takeTime();
  }

  answered(): void {
    this.#long?.end();
    if (this.#mayBeSilent) this.#allowSilence(requestIdleSeconds);
  }

  /** Models may think for minutes before the first byte; watchdogs of our own end what hangs. */
  #takeTime(): void {
    this.#long = this.#facts.deadlines.watch(longAnswerMs, () => {
      this.#mayBeSilent = true;
      this.#allowSilence(0);
    });
  }

  #allowSilence(seconds: number): void {
    const { server, request } = this.#facts;
    server.timeout(request, seconds);
  }
}
