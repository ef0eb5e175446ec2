// Text, from a parsed body to an answer: read, find channels, price, hold, attempt, relay, settle.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import { encodeJson } from "../../core/json.ts";
import { taken } from "../../core/later.ts";
import { zeroMicros } from "../../core/money.ts";
import type { TextRequest } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import { estimateUsage } from "../../quota/estimate.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { textCost } from "../../quota/price.ts";
import { leftAnswer, ReadySource, type Answer } from "../answer.ts";
import { attemptChannels, type AttemptNeeds, type ServedAttempt } from "../attempt.ts";
import { kindOfEnd } from "../outcome.ts";
import { addedMark } from "../../observe/usage-row.ts";
import { ArrayPump } from "./array-pump.ts";
import { captured, openCapture, type ContentNeeds } from "./capture.ts";
import { bringRecalled, keepReply, recallText } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { explainUnpriced } from "../unknown-model.ts";
import { chooseOrigin, hasOrigins, wantedOf } from "./find-channels.ts";
import type { Chain } from "./chain/chain.ts";
import { admitChain, type TextHold } from "./chain/hold-chain.ts";
import type { TextLeg } from "./chain/text-leg.ts";
import { findText, holdFor, holdMembers, toJob, type Grounds } from "./open-text.ts";
import type { OpenTextNeeds } from "./price-text.ts";
import type { TextTry } from "./plan-text.ts";
import { noBytes } from "../stream/pump.ts";
import { Disconnect, type ReadOn } from "../stream/read-on.ts";
import { Relay } from "../stream/relay.ts";
import { renamed, renamePiece, withModel } from "./names/rename-model.ts";
import { settleText, type SettleTextNeeds } from "./settle-text.ts";
import type { TextInput, TextJob } from "./text-job.ts";
import type { ServedText, ServedTextStream, ServedTextWhole, TryTextNeeds } from "./judge-text.ts";
import { tryText } from "./try-text.ts";
import { noteWaste } from "./waste.ts";

type ReplyModel = "asked" | "served";

export interface TextNeeds {
  clock: Clock;
  ledger: Ledger;
  memory: ResponseMemory;
  opening: OpenTextNeeds;
  attempts: AttemptNeeds;
  trying: TryTextNeeds;
  settling: SettleTextNeeds;
  readOn: ReadOn;
  contents: ContentNeeds;
  streaming: { deadlines: Deadlines; stallMs: number; totalMs: number };
  /** The `model` in replies, where no virtual model says otherwise. */
  replyModel: ReplyModel;
}

export async function serveText(needs: TextNeeds, arrived: TextInput): Promise<Answer> {
  const { call, format, body, address } = arrived;
  let job: TextJob | null = null;
  let disconnect: Disconnect | null = null;
  try {
    const read = format.read(body, address);
    resolveName(call, read);
    ({ model: call.model, stream: call.stream } = read);
    const { contents } = needs;
    if (contents.isLogged || contents.captures.isOn) {
      call.content = openCapture(contents, { caller: call.caller, format, body, ...read });
    }
    const bringing = bringRecalled(needs.memory, arrived, call.caller);
    if (bringing) await bringing;
    const { input, request } = recallText(needs.memory, arrived, read);
    request.model = call.model;
    if (!needs.settling.wastes.earn(call.caller.accountId)) request.takesAny = true;
    // Mostly all is at hand: looking takes 0.01 us, an await 0.12 us and a turn of the queue.
    const { ledger, opening } = needs;
    const { caller } = call;
    const priced = findText(opening, input, request);
    call.chain = priced.chain ?? null;
    const wallet = opening.balances.peekWallet(caller) ?? (await opening.balances.wallet(caller));
    const bounded = hasOrigins(priced.request)
      ? await chooseOrigin(opening.origins, caller, priced.request, priced.serving)
      : null;
    const grounds = { input, priced, wallet, bounded };
    const hold = holdFor(opening, grounds);
    job = priced.chain
      ? await openChain(ledger, grounds, hold)
      : toJob(grounds, hold, ledger.tryAdmit(hold) ?? (await ledger.admit(hold)));
    disconnect = new Disconnect(needs.readOn, call.scope.signal, call);
    const attempted = await attempt(needs, job, disconnect);
    if (job.chain?.servedLeg) job = { ...job, ...job.chain.servedLeg };
    const { value: served } = attempted;
    noteConversion(call, format, served);
    if (served.kind === "whole") {
      const bytes = await settleWhole(needs, job, { attempted, served, disconnect });
      disconnect.settled();
      return answerWhole(job, served, bytes);
    }
    // What is shown before it is settled needs a hold that is safe by then.
    if (served.first.kind !== "end") await job.reservation.written;
    return await answerStream(needs, job, { attempted, served, disconnect });
  } catch (error) {
    const wanted = wantedOf(format);
    const shown = explainUnpriced(toGatewayError(error), { model: call.model, wanted });
    disconnect?.settled();
    if (job?.reservation.state === "open") {
      const loss = disconnect?.isUnheard ? job.reservation.micros : zeroMicros;
      // Not awaited: the request's record has to be decided in the same step.
      void needs.ledger.void(job.reservation, shown.code, loss);
    }
    throw shown;
  }
}

/** What the key calls by a name of its own, before anything else looks at it. */
function resolveName(call: TextInput["call"], request: TextRequest): void {
  const model = call.caller.ownNames?.resolve(request.model) ?? request.model;
  if (model === request.model) return;
  call.askedModel = request.model;
  request.model = model;
}

async function openChain(ledger: Ledger, grounds: Grounds, wanted: TextHold): Promise<TextJob> {
  const rebuild = (rest: TextHold["members"]) => holdMembers(grounds, rest ?? []);
  const { hold, reservation } = await admitChain(ledger, wanted, rebuild);
  return toJob(grounds, hold, reservation);
}

function attempt(
  needs: TextNeeds,
  job: TextJob,
  disconnect: Disconnect,
): Promise<ServedAttempt<ServedText>> {
  const { chain, candidates, input } = job;
  if (chain) return attemptChain(needs, job, chain, disconnect);
  const textTry = toTry(needs, job, disconnect);
  return attemptChannels(needs.attempts, candidates, input.call, (choice) =>
    tryText(needs.trying, textTry, choice),
  );
}

/** Each member is put as a request for it alone. */
async function attemptChain(
  needs: TextNeeds,
  job: TextJob,
  chain: Chain,
  disconnect: Disconnect,
): Promise<ServedAttempt<ServedText>> {
  let leg: TextLeg = job;
  let textTry: TextTry | null = null;
  const { candidates, input } = job;
  const attempted = await attemptChannels(needs.attempts, candidates, input.call, (choice, at) => {
    const current = chain.at(at);
    if (current !== leg || !textTry) textTry = toTry(needs, { ...job, ...current }, disconnect);
    leg = current;
    return tryText(needs.trying, textTry, choice);
  });
  chain.serve(leg);
  return attempted;
}

/** Null where the reply names the model that served. */
function shownModelOf({ replyModel }: Pick<TextNeeds, "replyModel">, job: TextJob): string | null {
  const { call } = job.input;
  const rule = job.chain?.virtual.replyModel ?? replyModel;
  return rule === "asked" ? (call.askedModel ?? call.model) : null;
}

/** The same where the reply passes as it came: a converted one has the name already. */
function passedName(needs: TextNeeds, job: TextJob, { spoken }: ServedText): string | null {
  return spoken === job.input.format.name ? shownModelOf(needs, job) : null;
}

function toTry(
  { clock, settling, replyModel }: TextNeeds,
  job: TextJob,
  disconnect: Disconnect,
): TextTry {
  const { input, request, price, bound } = job;
  const { format, body, call, wireHeaders, action } = input;
  return {
    format,
    request,
    body,
    scope: call.scope,
    wireHeaders,
    action,
    createdAtSeconds: Math.floor(clock.nowMs() / 1000),
    outputTokensMax: Math.floor(bound.outputTokensMax / request.choices),
    bound,
    disconnect,
    content: call.content,
    priced: price.surcharges,
    exchange: null,
    shownModel: shownModelOf({ replyModel }, job),
    ...(job.chain?.goesOn(job.candidates, "refused") && { goesOnRefused: true as const }),
    wasted: (observed) => noteWaste(settling, job, observed),
  };
}

/** What came of a request, and whether its client is still there. */
interface Came<Served> {
  attempted: ServedAttempt<ServedText>;
  served: Served;
  disconnect: Disconnect;
}

/** The bytes for the client, which show the usage that was charged. */
async function settleWhole(
  needs: TextNeeds,
  job: TextJob,
  { attempted, served, disconnect }: Came<ServedTextWhole>,
): Promise<Uint8Array> {
  attempted.release();
  const { input } = job;
  const { observed } = served;
  const firstByteMs = needs.clock.monotonicMs() - input.call.scope.startedAtMs;
  let { bytes } = served;
  let kept: Promise<void> | null = null;
  await settleText(needs.settling, job, {
    served,
    observed,
    kind: disconnect.isLeft ? "client_abort" : "ok",
    isWhole: true,
    error: disconnect.isLeft ? new GatewayError("client_closed_request") : null,
    firstByteMs,
    show(usage) {
      const shown = withCharged(served, usage);
      const name = passedName(needs, job, served);
      bytes = name === null ? shown.bytes : withModel(shown.bytes, name, "whole");
      kept = shown.unstored && keepReply(needs.memory, input, shown.unstored, bytes);
      input.call.content?.push(bytes);
    },
  });
  await kept;
  return bytes;
}

/** Written anew only where the vendor told something else. */
function withCharged(
  { bytes, unstored, restate, observed }: ServedTextWhole,
  usage: Usage | null,
): Pick<ServedTextWhole, "bytes" | "unstored"> {
  if (!usage || !restate || usage === observed.usage) return { bytes, unstored };
  const shown = restate(usage);
  return { bytes: encodeJson(shown), unstored: unstored && shown };
}

function answerWhole(job: TextJob, served: ServedTextWhole, bytes: Uint8Array): Answer {
  const headers = withTold(headersOf(job), served);
  return { status: 200, contentType: "application/json", headers, body: bytes };
}

async function answerStream(
  needs: TextNeeds,
  job: TextJob,
  { attempted, served, disconnect }: Came<ServedTextStream>,
): Promise<Answer> {
  const { abort } = served;
  const { format, call } = job.input;
  const name = passedName(needs, job, served);
  const first = name === null ? served.first : renamePiece(served.first, name);
  const passed = name === null ? served.pump : renamed(served.pump, name);
  call.content?.take(first);
  const pump = call.content ? captured(passed, call.content) : passed;
  const { scope } = call;
  const { deadlines, stallMs, totalMs } = needs.streaming;
  const { timeouts } = attempted.channel.settings;
  const firstByteMs = needs.clock.monotonicMs() - scope.startedAtMs;
  const array = job.request.framing === "array" ? new ArrayPump(pump) : null;
  const shown = array ?? pump;
  let isCutShort = false;
  let ending: Uint8Array = noBytes;
  const relay = new Relay({
    pump: shown,
    first: array ? array.reframe(first) : first,
    abort,
    disconnect,
    deadlines,
    stallMs: timeouts.stallMs ?? stallMs,
    totalMs: timeouts.totalMs ?? totalMs,
    isSpent() {
      const { outputTokensEstimate } = pump.observed();
      isCutShort = isSpent(needs.ledger, job, outputTokensEstimate, served.sent);
      return isCutShort;
    },
    encodeError(error) {
      const bytes = format.encodeError(error, scope.requestId);
      return array ? array.endWith(bytes) : bytes;
    },
    async settle(end) {
      if (end.kind === "broken") attempted.broke(needs.clock.monotonicMs(), end.error);
      attempted.release();
      const isWhole = end.kind === "complete" || (end.kind === "client_abort" && end.isRead);
      const settled = settleText(needs.settling, job, {
        served,
        observed: pump.observed(),
        kind: kindOfEnd(end),
        isWhole,
        error: end.kind === "broken" ? end.error : null,
        firstByteMs,
        isCutShort,
        show(usage) {
          if (isWhole) ending = shown.finish?.(usage) ?? noBytes;
        },
      });
      await settled.finally(() => disconnect.settled());
      const unstored = end.kind === "complete" ? pump.unstored?.() : null;
      if (unstored) await keepReply(needs.memory, job.input, unstored);
    },
    ending: () => ending,
  });
  const contentType = array ? "application/json" : "text/event-stream";
  if (disconnect.isLeft) {
    relay.cancel();
    return leftAnswer;
  }
  const headers = withTold(headersOf(job), served);
  // Of one that came all at once nothing is shown before it is settled, so it is a whole answer.
  const whole = first.kind === "end" ? await taken((ready) => relay.take(ready)) : null;
  return { status: 200, contentType, headers, body: whole ? new ReadySource(whole) : relay };
}

/** The model that served is told wherever it is not the one that was asked for. */
function headersOf({ input, request }: TextJob): Readonly<Record<string, string>> {
  const { limitHeaders, askedModel, chain } = input.call;
  const isNamed = askedModel !== null || chain !== null;
  if (!isNamed || !printable.test(request.model)) return limitHeaders;
  return { ...limitHeaders, "x-sluice-model": request.model };
}

const printable = /^[\x21-\x7e]+$/;

/** Where nothing was rebuilt or left out there is nothing to note. */
function noteConversion(
  call: TextInput["call"],
  { name }: TextInput["format"],
  { spoken, ignored, added }: ServedText,
): void {
  if (spoken === name && ignored.length === 0 && added.length === 0) return;
  const words = [...added.map((bound) => `${addedMark}${bound}`), ...ignored];
  call.converted = [spoken, ...new Set(words)].join(" ").slice(0, convertedCharactersMax);
}

const convertedCharactersMax = 300;

/** Estimates are rough, so only what is far past its bound is weighed against the money left. */
const estimateSlack = 4;

function isSpent(
  ledger: Ledger,
  job: TextJob,
  outputTokens: number,
  sent: ServedText["sent"],
): boolean {
  const { input, request, price, reservation, bound } = job;
  if (outputTokens <= bound.outputTokensMax * estimateSlack) return false;
  const usage = estimateUsage(request, input.bodyBytes, outputTokens);
  const used = textCost(price, usage, { sent, use: null });
  return used > reservation.micros + ledger.spareMicros(reservation);
}

/**
 * Fields that an upstream cannot express are named, never dropped in silence, and so are bounds
 * that the client did not name.
 */
function withTold(
  headers: Readonly<Record<string, string>>,
  { ignored, added }: Pick<ServedText, "ignored" | "added">,
): Readonly<Record<string, string>> {
  if (ignored.length === 0 && added.length === 0) return headers;
  const bounds = added.join(", ").slice(0, ignoredCharactersMax);
  const withBounds = bounds === "" ? headers : { ...headers, "x-sluice-added": bounds };
  if (ignored.length === 0) return withBounds;
  const names = [...new Set(ignored)].filter((name) => /^[\w.$[\]-]+$/.test(name));
  return { ...withBounds, "x-sluice-ignored": names.join(", ").slice(0, ignoredCharactersMax) };
}

const ignoredCharactersMax = 1000;
