// A vendor's stream of pictures, opened up to its first one: until then another channel may be
// asked.
import { heardFault } from "../../upstreams/heard-fault.ts";
import { GatewayError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { OutboundFailed, type OutboundReply } from "../../core/outbound.ts";
import { Abort } from "../../core/abort.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Fault, ImageFacet } from "../../upstreams/upstream.ts";
import type { Attempt } from "../attempt.ts";
import { firstOf, isEventStream, type Piece } from "../stream/pump.ts";
import { firstByteLimitMs } from "../time-limit.ts";
import { teller, type Wording } from "../conceal.ts";
import { toAttempt } from "../vendor-fault.ts";
import { HeldEvents } from "./held/events.ts";
import { HeldTexts } from "./held/texts.ts";
import { judgeFailure } from "./judge-failure.ts";
import { ImagePump } from "./image-pump.ts";
import type { TryImageNeeds } from "./image-work.ts";
import { jobAt, withImageBytes } from "./needed-bytes.ts";
import { assertWaiting, imageCall, sendImage, type ImageRun } from "./run-image.ts";

export interface ServedStream {
  kind: "stream";
  pump: ImagePump;
  first: Piece;
  /** Ends the upstream. */
  abort: Abort;
}

export async function openImageStream(
  parts: TryImageNeeds,
  { facet, run }: { facet: ImageFacet; run: ImageRun },
): Promise<Attempt<ServedStream>> {
  const abort = new Abort();
  // Never removed: it goes with the request, and aborting what has ended does nothing.
  run.signal.addEventListener("abort", abort);
  const limitMs = firstByteLimitMs(run.choice.channel, parts.running.rules.callMs);
  const watch = parts.running.deadlines.watch(limitMs, () => abort.abort());
  let isSent = false;
  try {
    const job = await withImageBytes(
      parts.running.references,
      facet,
      jobAt(run.choice.channel, run.job),
    );
    const request = facet.stream?.(job, run.original, imageCall(parts.running, run));
    if (!request) throw new GatewayError("model_not_found", { param: "model" });
    assertWaiting(run);
    isSent = true;
    const reply = await sendImage(parts.running, run, { request, signal: abort });
    const outcome = await readFirst(parts, run, { reply, abort });
    if (outcome.kind !== "served") abort.abort();
    return outcome;
  } catch (error) {
    abort.abort();
    if (run.disconnect?.isLeft && isSent) run.disconnect.isUnheard = true;
    return judgeFailure(error, run);
  } finally {
    watch.end();
    await run.held.drop();
  }
}

async function readFirst(
  parts: TryImageNeeds,
  run: ImageRun,
  { reply, abort }: { reply: OutboundReply; abort: Abort },
): Promise<Attempt<ServedStream>> {
  const { channel, key } = run.choice;
  const tell = teller({ settings: channel.settings, key });
  if (reply.status < 200 || reply.status > 299) {
    const fault = await readFault(parts, run, reply);
    return toAttempt(fault, tell);
  }
  if (!isEventStream(reply)) {
    return failed(new GatewayError("bad_response_body"));
  }
  const openHeld = () => new HeldTexts(parts.holding);
  const events = new HeldEvents({ reply, bytesMax: parts.running.rules.replyBytesMax, openHeld });
  const pump = new ImagePump({ events, job: run.job, tell });
  try {
    const first = await firstOf(pump);
    if (first.kind === "bytes") {
      return { kind: "served", value: { kind: "stream", pump, first, abort } };
    }
    await pump.close();
    if (run.disconnect?.isLeft && !pump.fault) throw new OutboundFailed("left");
    return pump.fault
      ? toFault(run, pump.fault.body, tell)
      : failed(new GatewayError("bad_response", { message: "The stream brought no image." }));
  } catch (error) {
    await pump.close();
    throw error;
  }
}

async function readFault(
  parts: TryImageNeeds,
  { held, choice }: ImageRun,
  reply: OutboundReply,
): Promise<Fault> {
  const json = await held.read(reply, parts.running.rules.replyBytesMax);
  return faultOf(choice, { status: reply.status, headers: reply.headers, json });
}

function faultOf(
  { channel }: ImageRun["choice"],
  { status, headers, json }: { status: number; headers: Headers; json: Json },
): Fault {
  const { type, baseUrl } = channel.settings;
  const upstream = upstreams[type];
  if (!upstream) return { blame: "channel", message: `the upstream answered with ${status}` };
  return heardFault(upstream.readFault(status, headers, json, baseUrl), status, headers);
}

/** An error in place of the first picture is judged as if it had come as the answer. */
function toFault({ choice }: ImageRun, body: JsonObject, tell: Wording): Attempt<never> {
  const error = isObject(body["error"]) ? body["error"] : {};
  const isOfServer = /server|overload|timeout/.test(
    `${String(error["type"])} ${String(error["code"])}`,
  );
  const isOfLoad = String(error["code"]).includes("rate_limit");
  const status = isOfLoad ? 429 : isOfServer ? 500 : 400;
  const fault = faultOf(choice, { status, headers: new Headers(), json: body });
  return toAttempt(fault, tell);
}

function failed(error: GatewayError): Attempt<never> {
  return { kind: "failed", blame: "channel", error };
}
