// Takes a request from the socket to its answer: gate, route, policy, flow, envelope.
import type { Server } from "bun";
import type { Clock } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import { DependencyError, GatewayError, toGatewayError } from "../core/errors.ts";
import type { AccountId, Ids, RequestId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Answer } from "../gateway/answer.ts";
import type { OpenCalls } from "../gateway/open-calls.ts";
import { answeredOutcome, failedOutcome } from "../gateway/outcome.ts";
import { hopHeader, hopsMax, type Scope } from "../gateway/scope.ts";
import type { Limits } from "../limits/limiter.ts";
import { LimitError } from "../limits/refusal.ts";
import type { LoadShedder } from "../limits/shedding.ts";
import { readLabel } from "../observe/label.ts";
import type { Tracer } from "../observe/otlp/tracer.ts";
import type { ClientAddresses } from "./client/client-address.ts";
import { ClientCall } from "./client/client-call.ts";
import { refusalOfSeveral } from "./credentials.ts";
import { EnvelopedError, withStatus } from "./envelopes/enveloped-error.ts";
import { type EnvelopeName, envelopes } from "./envelopes/index.ts";
import { statusOf } from "./envelopes/status.ts";
import { checkHost, isEscapable, misspeltPath, nothingAt, readTarget, sentPath } from "./gate.ts";
import { heldBy } from "./held-stream.ts";
import { withPin } from "./pin.ts";
import { peekEnvelope } from "./peek.ts";
import {
  anyWatcher,
  authoriseControl,
  isLocal,
  isStillAllowed,
  type ControlAccess,
} from "./policy.ts";
import {
  isControl,
  isOpenToPages,
  respond,
  respondPreflight,
  type ResponseFacts,
} from "./respond.ts";
import type { Recorder } from "./recorder.ts";
import { RequestIncoming, requestIdleSeconds } from "./request-incoming.ts";
import type { RefusedCredentials } from "./refused-credentials.ts";
import type { ControlRoute, KeyRoute, LocalRoute, Match, Route, RouteTable } from "./route.ts";
import { assertNoOtherPage } from "./session/own-page.ts";
import { WrongMethodError } from "./wrong-method.ts";
import type { ResponseSocket, ResponseSockets } from "./sockets/response-sockets.ts";
import type { OpenStreams } from "./stream-response.ts";
import { responsesPath, switching } from "./text/responses-socket.ts";

interface HttpServerNeeds {
  clock: Clock;
  deadlines: Deadlines;
  /** Time that the body of a request may take. */
  bodyMs: number;
  ids: Ids;
  log: Log;
  table: RouteTable;
  allowedHosts: readonly string[];
  addresses: ClientAddresses;
  access: ControlAccess;
  limits: Limits;
  room: RoomNeeds;
  watching: WatchingNeeds;
  refused: RefusedCredentials;
  distribution: { readonly unknownModelStatus: 503 | 404 };
}

/** Listeners to a request from its arrival to its end. */
interface WatchingNeeds {
  recorder: Recorder;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
  openCalls: OpenCalls;
}

/** Places that must have room for paid work. */
interface RoomNeeds {
  shedder: LoadShedder;
  streams: OpenStreams;
  limits: { readonly streamsMax: number };
  sockets: ResponseSockets;
  /** While there are any, no paid work is taken. */
  obstacles: ReadonlySet<string>;
}

export type BunServer = Server<ResponseSocket>;

type Handler = (request: Request, server: BunServer) => Promise<Response | undefined>;

/** The platform, or what stands for it where a request came by another way. */
type Platform = Pick<BunServer, "requestIP" | "timeout" | "upgrade">;
type Handlers = Record<string, Handler>;

export class HttpServer {
  readonly #needs: HttpServerNeeds;

  constructor(needs: HttpServerNeeds) {
    this.#needs = needs;
  }

  /**
   * The runtime matches a path as it was sent, but hands on an address from which dots and
   * backslashes are gone. So each path has a handler of its own, and what comes by another one, or
   * by none, was sent in another form.
   */
  get handlers(): Handlers {
    const patterns = new Set(this.#needs.table.routes.map(({ path }) => patternOf(path)));
    return Object.fromEntries(
      Array.from(patterns, (pattern) => [
        pattern,
        (request: Request, server: BunServer) => this.handle(request, server, pattern),
      ]),
    );
  }

  /** `sentAs` is the pattern by which the request came, null when it came by none. */
  async handle(
    request: Request,
    server: Platform,
    sentAs: string | null,
  ): Promise<Response | undefined> {
    const { ids, room } = this.#needs;
    const requestId = ids.request();
    const { streams } = room;
    const facts: ResponseFacts = { requestId, request, isControl: false, streams };
    const call = this.#openCall(request, requestId, server);
    let route: Route | null = null;
    let incoming: RequestIncoming | null = null;
    try {
      const { method } = call;
      const target = readTarget(request.url, sentAs);
      this.#gate(request, call.scope);
      const match = this.#needs.table.match(method === "HEAD" ? "GET" : method, target.path);
      if (isMisspelt(match, target.path, sentAs)) throw misspeltPath(target.path);
      call.path = target.path;
      const row = match && match !== "path" ? match.route : this.#needs.table.nearest(target.path);
      facts.isControl = isControl(row);
      if (method === "OPTIONS") {
        if (isOpenToPages(row)) return respondPreflight(requestId);
        const path = match ? target.path : row.path;
        throw new WrongMethodError(method, this.#needs.table.methodsAt(path));
      }
      if (match === "path") {
        throw new WrongMethodError(method, this.#needs.table.methodsAt(target.path));
      }
      if (!match) throw nothingAt({ method, path: target.path }, this.#needs.table);
      route = match.route;
      call.route = route.path;
      const { params } = match;
      const { deadlines, bodyMs, access } = this.#needs;
      const came = { request, server, target, params, call, deadlines, bodyMs, rules: access };
      incoming = new RequestIncoming(came);
      const answer = await this.#serve(route, incoming, call);
      if (!isPaid(route)) call.finish(answeredOutcome(answer.status));
      if (answer.status === switching) incoming.answered();
      return answer.status === switching
        ? this.#upgrade(request, server, { ip: incoming.ip, accountId: call.caller.accountId })
        : respond(answer, facts, incoming);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      incoming?.answered();
      // Paid work has no such bound, but a refusal ends it: the runtime reads on for this long, as
      // a proxy that meets a closed connection amid the body would lose the answer.
      server.timeout(request, requestIdleSeconds);
      const chosen = await this.#chosenEnvelope(error, route, request);
      // An address without a route is answered as its neighbours are, in the shape of who asks.
      const row = route ?? this.#neighbour(request);
      facts.isControl ||= isControl(row);
      const own = route === null && row.envelope === "a" ? "models" : row.envelope;
      return this.#refuse(error, chosen ?? own, call, facts);
    }
  }

  /** Serve the request in a socket's frame, as if it had come by a POST. */
  serveFrame(request: Request, ip: string): Promise<Response | undefined> {
    const address = { address: ip, port: 0, family: "IPv4" } as const;
    const platform: Platform = { requestIP: () => address, timeout() {}, upgrade: () => false };
    return this.handle(request, platform, responsesPath);
  }

  #upgrade(
    request: Request,
    server: Platform,
    opener: { ip: string; accountId: AccountId },
  ): undefined {
    const { limits, sockets } = this.#needs.room;
    sockets.checkRoom(opener.accountId, limits.streamsMax);
    const data = sockets.socketOf(request, opener);
    if (!server.upgrade(request, { data })) throw new GatewayError("upgrade_required");
  }

  /** The row that an address would have had, be it misspelt or refused before it was looked up. */
  #neighbour({ url, method }: Request): Route {
    const path = sentPath(url);
    const match = this.#needs.table.match(method, path);
    return match && match !== "path" ? match.route : this.#needs.table.nearest(path);
  }

  /** The envelope that what was asked for decides; null leaves it to the address. */
  async #chosenEnvelope(
    error: GatewayError,
    route: Route | null,
    request: Request,
  ): Promise<EnvelopeName | null> {
    if (error instanceof EnvelopedError && error.envelope !== null) return error.envelope;
    if (route?.policy !== "key" || !route.envelopeOf) return null;
    const { envelopeOf } = route;
    const { deadlines } = this.#needs;
    return await peekEnvelope(request, error, { envelopeOf, deadlines });
  }

  #openCall(request: Request, requestId: RequestId, server: Platform): ClientCall {
    const { clock, watching, addresses } = this.#needs;
    const { recorder, tracer } = watching;
    const hops = Number(request.headers.get(hopHeader) ?? 0);
    const startedAtMs = clock.monotonicMs();
    const trace = tracer === null ? null : tracer.open(request.headers);
    const scope: Scope = { requestId, signal: request.signal, startedAtMs, hops, trace };
    const from = addresses.of(request, server);
    return new ClientCall(scope, request.method, from, recorder);
  }

  #gate(request: Request, scope: Scope): void {
    checkHost(request.headers.get("host"), this.#needs.allowedHosts);
    if (!(scope.hops >= 0 && scope.hops <= hopsMax)) {
      throw new GatewayError("invalid_request", {
        message: "The request has passed too many gateways: a channel points back here.",
      });
    }
  }

  #serve(route: Route, incoming: RequestIncoming, call: ClientCall): Promise<Answer> {
    switch (route.policy) {
      case "public":
        incoming.checkQuery(route);
        return route.serve(incoming);
      case "key":
        return this.#serveKey(route, incoming, call);
      case "visitor":
        assertNoOtherPage(incoming.headers, this.#needs.access);
        incoming.checkQuery(route);
        return route.serve(incoming);
      case "control":
        return this.#serveControl(route, incoming);
      case "local":
        return this.#serveLocal(route, incoming);
    }
  }

  async #serveControl(route: ControlRoute, incoming: RequestIncoming): Promise<Answer> {
    const operator = await authoriseControl(this.#needs.access, incoming, route);
    incoming.checkQuery(route);
    const answer = await route.serve(incoming, { ...operator, ip: incoming.ip });
    const { access, deadlines } = this.#needs;
    return heldBy(answer, deadlines, () => isStillAllowed(access, incoming.headers, operator));
  }

  async #serveLocal(route: LocalRoute, incoming: RequestIncoming): Promise<Answer> {
    const { ip, headers } = incoming;
    if (!isLocal(ip, headers)) await authoriseControl(this.#needs.access, incoming, anyWatcher);
    return await route.serve(incoming);
  }

  async #serveKey(route: KeyRoute, incoming: RequestIncoming, call: ClientCall): Promise<Answer> {
    const { access, limits } = this.#needs;
    const { authenticator } = access;
    const secret = this.#oneSecret(route, incoming) ?? (await this.#refuseSeveral(route, incoming));
    // Mostly it was seen before: what is at hand takes 0.01 us, an await 0.12 us.
    const plain =
      authenticator.knownCaller(secret, incoming) ?? (await authenticator.caller(secret, incoming));
    const caller = plain.mayPin ? withPin(plain, incoming.headers) : plain;
    const { isPaid } = route;
    if (isPaid) {
      this.#checkRoom();
      incoming.willTakeTime();
    }
    const admission = limits.tryAdmit(caller.rates) ?? (await limits.admit(caller.rates));
    call.admit({ caller, admission, limits, isPaid });
    if (isPaid) this.#needs.watching.openCalls.opened(call);
    try {
      if (isPaid) call.label = readLabel(incoming.headers);
      incoming.checkQuery(route);
      const answer = await route.serve(incoming, call);
      // Let a paid answer come to its end, whatever becomes of the key meanwhile.
      return isPaid ? answer : this.#heldByKey(answer, route, incoming);
    } catch (thrown) {
      const error = this.#asVendorsHave(toGatewayError(thrown));
      // At once: how the refusal is written may have to be looked up first.
      if (call.isOpen) call.finish(failedOutcome(error, statusOf(error)));
      throw error;
    }
  }

  /** Null where there are several. */
  #oneSecret({ carriers }: KeyRoute, incoming: RequestIncoming): string | null {
    try {
      return incoming.secret(carriers);
    } catch (error) {
      if (error instanceof GatewayError && error.code === "conflicting_credentials") return null;
      throw error;
    }
  }

  async #refuseSeveral({ carriers }: KeyRoute, incoming: RequestIncoming): Promise<never> {
    const { authenticator } = this.#needs.access;
    const lookUps = incoming
      .secrets(carriers)
      .map((secret) => () => authenticator.caller(secret, incoming));
    throw await refusalOfSeveral(new GatewayError("conflicting_credentials"), lookUps);
  }

  #heldByKey(answer: Answer, { carriers }: KeyRoute, incoming: RequestIncoming): Answer {
    const { access, deadlines } = this.#needs;
    return heldBy(answer, deadlines, async () => {
      await access.authenticator.caller(incoming.secret(carriers), incoming);
      return true;
    });
  }

  /** Some clients try a 503 again for minutes, whatever its headers say. */
  #asVendorsHave(error: GatewayError): GatewayError {
    const { unknownModelStatus: status } = this.#needs.distribution;
    return error.shownCode === "model_not_found" && !error.shown && status === 404
      ? withStatus(error, status)
      : error;
  }

  #checkRoom(): void {
    const { shedder, streams, limits, obstacles } = this.#needs.room;
    shedder.check();
    if (streams.size >= limits.streamsMax || obstacles.size > 0)
      throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
  }

  #refuse(
    error: GatewayError,
    envelope: EnvelopeName,
    call: ClientCall,
    facts: ResponseFacts,
  ): Response {
    if (error.code === "invalid_api_key") this.#needs.refused.note(error, call);
    if (error.code === "server_error" || error.cause instanceof DependencyError) {
      this.#needs.log.error("request failed", {
        request: call.scope.requestId,
        path: call.path,
        error: describe(error.cause ?? error),
      });
    }
    const { requestId, request } = facts;
    const written = envelopes[envelope](error, { requestId, headers: request.headers });
    const isPreflight = error instanceof WrongMethodError && error.isPreflight;
    const status = isPreflight ? statusOf(error) : written.status;
    if (call.isOpen) call.finish(failedOutcome(error, status));
    const limits = error instanceof LimitError ? error.headers : {};
    const headers: Record<string, string> = { ...written.headers, ...limits };
    if (error.code === "upgrade_required") headers["upgrade"] = "websocket";
    if (error instanceof WrongMethodError) headers["allow"] = error.allowed.join(", ");
    if (error.retryAfterSeconds !== null) headers["retry-after"] = String(error.retryAfterSeconds);
    // Otherwise the rest of the body would be waited for behind the answer.
    if (error.code === "request_timeout") headers["connection"] = "close";
    if (!error.isRetryable) headers["x-should-retry"] = "false";
    const { body, contentType = "application/json" } = written;
    return respond({ status, contentType, headers, body }, facts);
  }
}

/** True when the runtime did not match, or matched as another, what the table has this path for. */
function isMisspelt(match: Match | "path" | null, path: string, sentAs: string | null): boolean {
  if (sentAs === path) return false;
  if (path.includes("%") && !isEscapable(path, match)) return true;
  if (match === null) return false;
  return match === "path" ? sentAs === null : patternOf(match.route.path) !== sentAs;
}

/** A path of the table as the runtime writes it; what follows a parameter is ours to match. */
function patternOf(path: string): string {
  let parts = 0;
  return path.includes("{") ? path.replace(/\{\w+\}[^/]*/g, () => `:part${parts++}`) : path;
}

function isPaid(route: Route): boolean {
  return route.policy === "key" && route.isPaid;
}
