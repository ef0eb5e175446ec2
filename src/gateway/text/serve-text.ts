// Text, from a parsed body to an answer: read, find channels, price, hold, attempt, relay, settle.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { toGatewayError } from "../../core/errors.ts";
import { taken } from "../../core/later.ts";
import { zeroMicros } from "../../core/money.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import { estimateUsage } from "../../quota/estimate.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { textCost } from "../../quota/price.ts";
import { tellBill } from "../bill.ts";
import { leftAnswer, ReadySource, type Answer } from "../answer.ts";
import { attemptChannels, type AttemptNeeds } from "../attempt.ts";
import type { ServedAttempt } from "../served-attempt.ts";
import { kindOfEnd } from "../outcome.ts";
import { labelIn } from "../../observe/label.ts";
import { openWallet, peekWallet, tellBudget } from "../payer.ts";
import { addedMark } from "../../observe/usage-row.ts";
import { ReframePump, writerFor } from "./pump/reframe-pump.ts";
import { captured, openCapture, type ContentNeeds } from "./capture.ts";
import { bringRecalled, keepReply, recallText } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { explainUnpriced } from "../unknown-model.ts";
import { conversationOf } from "./affinity/conversation.ts";
import { attemptChain } from "./chain/attempt-chain.ts";
import { openChain } from "./chain/open-chain.ts";
import { chooseOrigin, hasOrigins, type Bounded } from "./choose-origin.ts";
import { wantedOf } from "./find-channels.ts";
import { boundRequest, findText, toJob } from "./open-text.ts";
import type { OpenTextNeeds } from "./price-text.ts";
import type { TextTry } from "./plan-text.ts";
import type { SecondLook } from "./admit/second-look.ts";
import { noBytes, type Piece } from "../stream/pump.ts";
import { Disconnect, type ReadOn } from "../stream/read-on.ts";
import { Relay } from "../stream/relay.ts";
import { renamed, renamePiece } from "./names/rename-model.ts";
import {
  passedName,
  resolveName,
  shownModelOf,
  tellModel,
  type ReplyModel,
} from "./names/shown-model.ts";
import { CostPump } from "./pump/cost-pump.ts";
import { settleText, type SettleTextNeeds } from "./settle-text.ts";
import { isCostWanted, settleWhole, type Came, type SettledWhole } from "./settle-whole.ts";
import type { TextInput, TextJob } from "./text-job.ts";
import type { ServedText, ServedTextStream, TryTextNeeds } from "./judge-text.ts";
import type { TextPump } from "./pump/text-pump.ts";
import { tryText } from "./try-text.ts";
import { turnStateHeader, type TurnState, type TurnStates } from "./session/turn-state.ts";
import { noteWaste } from "./waste.ts";

export interface TextNeeds {
  clock: Clock;
  ledger: Ledger;
  memory: ResponseMemory;
  opening: OpenTextNeeds;
  secondLook: SecondLook;
  attempts: AttemptNeeds;
  trying: TryTextNeeds;
  settling: SettleTextNeeds;
  readOn: ReadOn;
  contents: ContentNeeds;
  turns: TurnStates;
  streaming: { deadlines: Deadlines; stallMs: number; totalMs: number };
  /** The `model` in replies, where no virtual model says otherwise. */
  rules: { readonly replyModel: ReplyModel };
}

export async function serveText(needs: TextNeeds, arrived: TextInput): Promise<Answer> {
  const { call, format, body, address } = arrived;
  let job: TextJob | null = null;
  let disconnect: Disconnect | null = null;
  try {
    const read = format.read(body, address);
    resolveName(call, read);
    ({ model: call.model, stream: call.stream } = read);
    if (format.hasMetadata) call.label ??= labelIn(body["metadata"]);
    const asking = call.askFor([call.model]);
    if (asking) await asking;
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
    const { secondLook, opening } = needs;
    const { caller } = call;
    const priced = findText(opening, input, request);
    call.chain = priced.chain ?? null;
    const wallet = peekWallet(opening, caller, call) ?? (await openWallet(opening, caller, call));
    const turn = input.turnState ? needs.turns.open(caller.accountId, input.turnState) : null;
    const ofOrigin = hasOrigins(priced.request)
      ? await chooseOrigin(opening.origins, caller, priced.request, priced.serving)
      : null;
    const bounded = turn ? withTurn(ofOrigin, priced.serving, turn) : ofOrigin;
    const conversation = priced.chain ? null : conversationOf(opening.affinity, input, priced);
    const grounds = { input, priced, wallet, bounded, conversation };
    if (priced.chain) job = await openChain(needs, grounds, priced.chain);
    else {
      const bound = boundRequest(opening, input, priced.request, priced.serving);
      const held = secondLook.tryAdmit(grounds, bound) ?? (await secondLook.admit(grounds, bound));
      job = toJob(opening, grounds, held);
    }
    // Nobody counts it from here on, and a long answer need not keep it.
    arrived.written = input.written = [];
    disconnect = new Disconnect(needs.readOn, call.scope.signal, call);
    const attempted = await attempt(needs, job, { disconnect, turn });
    if (job.chain?.servedLeg) job = { ...job, ...job.chain.servedLeg };
    const { value: served } = attempted;
    noteConversion(call, format, served);
    if (served.kind === "whole") {
      const headers = headersOf(needs.turns, job, served);
      const came = { attempted, served, disconnect };
      const answer = await settleWhole(needs, job, came, (settled) => toAnswer(headers, settled));
      disconnect.settled();
      return answer;
    }
    const beganMs = needs.clock.monotonicMs() - attempted.startedAtMs;
    attempted.channel.speeds.note(job.request.model, beganMs);
    // An answer that is shown before it is settled needs a hold that is safe by then.
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

function attempt(needs: TextNeeds, job: TextJob, going: Going): Promise<ServedAttempt<ServedText>> {
  const { chain, candidates, input } = job;
  const open = (leg: TextJob) => {
    const textTry = toTry(needs, leg, going);
    return (choice: Choice) => tryText(needs.trying, textTry, choice);
  };
  if (chain) return attemptChain(needs.attempts, { job, chain }, open);
  return attemptChannels(needs.attempts, candidates, input.call, open(job));
}

/** An agent's turn goes on where it began, unless something else binds the request. */
function withTurn(
  bounded: Bounded | null,
  serving: readonly Channel[],
  { choice }: TurnState,
): Bounded {
  const origin = bounded?.origin ?? { ...choice, model: null };
  return { channels: bounded?.channels ?? serving, origin };
}

/** The state of a request while it is tried. */
interface Going {
  disconnect: Disconnect;
  turn: TurnState | null;
}

function toTry(needs: TextNeeds, job: TextJob, { disconnect, turn }: Going): TextTry {
  const { clock, settling } = needs;
  const { input, request, price, bound, candidates } = job;
  const { format, body, call, wireHeaders, action, session } = input;
  const textTry: TextTry = {
    session,
    turn,
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
    shownModel: shownModelOf(needs.rules.replyModel, job),
    conversation: candidates.conversation ?? null,
    wasted: (observed) => noteWaste(settling, job, observed),
  };
  if (job.chain?.goesOn(candidates, "refused")) textTry.goesOnRefused = true;
  return textTry;
}

function toAnswer(headers: Record<string, string>, settled: SettledWhole): Answer {
  const { bytes, bill, isEstimated } = settled;
  tellBill(headers, bill);
  if (isEstimated) headers[usageHeader] = "estimated";
  return { status: 200, contentType: "application/json", headers, body: bytes };
}

async function answerStream(
  needs: TextNeeds,
  job: TextJob,
  { attempted, served, disconnect }: Came<ServedTextStream>,
): Promise<Answer> {
  const { abort } = served;
  const { format, call } = job.input;
  const name = passedName(needs.rules.replyModel, job, served);
  const first = name === null ? served.first : renamePiece(served.first, name);
  const passed = name === null ? served.pump : renamed(served.pump, name);
  call.content?.take(first);
  const pump = call.content ? captured(passed, call.content) : passed;
  const { scope } = call;
  const { deadlines, stallMs, totalMs } = needs.streaming;
  const { timeouts } = attempted.channel.settings;
  const firstByteMs = needs.clock.monotonicMs() - scope.startedAtMs;
  const { shown, begun, writer } = dressed(job, pump, first);
  const contentType = writer?.contentType ?? "text/event-stream";
  const headers = headersOf(needs.turns, job, served);
  let isCutShort = false;
  let ending: Uint8Array = noBytes;
  const relay = new Relay({
    pump: shown,
    first: begun,
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
      return writer ? writer.fail(error, bytes) : bytes;
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
        show(usage, bill, isEstimated) {
          if (isWhole) ending = endingOf(shown.finish?.(usage, bill), isEstimated && !writer);
          if (usage && end.kind === "complete")
            job.input.keeper?.keep({ contentType, headers }, end.bytes, ending);
        },
      });
      await settled.finally(() => disconnect.settled());
      const unstored = end.kind === "complete" ? pump.unstored?.() : null;
      if (unstored) await keepReply(needs.memory, job.input, unstored);
    },
    ending: () => ending,
  });
  if (disconnect.isLeft) {
    relay.cancel();
    return leftAnswer;
  }
  // An answer that came all at once shows nothing before it is settled, so it is a whole answer.
  const whole = first.kind === "end" ? await taken((ready) => relay.take(ready)) : null;
  return { status: 200, contentType, headers, body: whole ? new ReadySource(whole) : relay };
}

const usageHeader = "x-sluice-usage";
/** The same in a stream, whose headers are long gone: every client skips a comment. */
const estimateComment = Buffer.from(`: ${usageHeader}: estimated\n\n`);

function endingOf(bytes: Uint8Array = noBytes, isEstimateTold: boolean): Uint8Array {
  return isEstimateTold && bytes.length > 0 ? Buffer.concat([estimateComment, bytes]) : bytes;
}

/** The pump as the request wants to read it: with its cost, or in another framing. */
function dressed(job: TextJob, pump: TextPump, first: Piece) {
  const costs = isCostWanted(job) ? new CostPump(pump) : null;
  const writer = writerFor(job.request.framing);
  const reframed = writer && new ReframePump(costs ?? pump, writer);
  const billed = costs ? costs.reframe(first) : first;
  const begun = reframed ? reframed.reframe(billed) : billed;
  return { shown: reframed ?? costs ?? pump, begun, writer };
}

/** Note the conversion, unless nothing was rebuilt or left out. */
function noteConversion(
  call: TextInput["call"],
  { name }: TextInput["format"],
  { spoken, ignored, added }: ServedText,
): void {
  if (spoken === name && ignored.length === 0 && added.length === 0) return;
  let words: string = spoken;
  for (const bound of added) words += ` ${addedMark}${bound}`;
  for (const field of ignored.length > 1 ? new Set(ignored) : ignored) words += ` ${field}`;
  call.converted = words.slice(0, convertedCharactersMax);
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

function headersOf(turns: TurnStates, job: TextJob, served: ServedText): Record<string, string> {
  const { caller, limitHeaders } = job.input.call;
  const headers = { ...limitHeaders };
  tellModel(headers, job);
  tellBudget(headers, caller, job.reservation.caps);
  tellChanges(headers, served);
  if (served.turnState === null) return headers;
  const sealed = turns.close(caller.accountId, served.choice, served.turnState);
  if (sealed !== null) headers[turnStateHeader] = sealed;
  return headers;
}

/**
 * Fields that an upstream cannot express are named, never dropped in silence, and so are bounds
 * that the client did not name.
 */
function tellChanges(headers: Record<string, string>, { ignored, added }: ServedText): void {
  if (added.length > 0) {
    const bounds = added.join(", ").slice(0, ignoredCharactersMax);
    if (bounds !== "") headers["x-sluice-added"] = bounds;
  }
  if (ignored.length === 0) return;
  const names = [...new Set(ignored)].filter((name) => /^[\w.$[\]-]+$/.test(name));
  headers["x-sluice-ignored"] = names.join(", ").slice(0, ignoredCharactersMax);
}

const ignoredCharactersMax = 1000;
