// Asks a channel for a tiny answer and says what came: the vendor's words, its count, and what is
// likely to be wrong.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import { Channel } from "../../distribution/channel.ts";
import { chat } from "../../formats/chat/index.ts";
import type { Attempt } from "../../gateway/attempt.ts";
import { trialMsMax } from "../../gateway/check-key.ts";
import { isPriced } from "../../gateway/list-models.ts";
import { Disconnect } from "../../gateway/stream/read-on.ts";
import type { Tally } from "../../gateway/text/meter/meter.ts";
import type { ServedText } from "../../gateway/text/judge-text.ts";
import { tryText } from "../../gateway/text/try-text.ts";
import { withoutSecrets, type KeyTrial, type Trial } from "./check.ts";
import type { ChannelNeeds } from "./needs.ts";
import { isAboutModel, askForModels, withModels } from "./trial-list.ts";
import { tellServed } from "./trial-words.ts";

/** The attempt is made outside of distribution, so no breaker watches it. */
const noEjection = { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 };

const noTimeouts = { firstByteMs: null, stallMs: null, totalMs: null };

/** No vendor is known that refuses so few. */
const pingTokensMax = 16;
/** Nobody pays, so nobody counts. */
const noTally: Tally = { push() {}, count: async () => 0, drop() {} };

/** Nobody is charged for it. */
const noBound = {
  inputTokensMax: pingTokensMax,
  outputTokensMax: pingTokensMax,
  mediaTokensMax: 0,
};

/** Vendors' names for the bound on an answer; the last does not bound it. */
const pingBounds: readonly JsonObject[] = [
  { max_tokens: pingTokensMax },
  { max_completion_tokens: pingTokensMax },
  {},
];
const refusedByForm = new Set([400, 422]);

/** The next way to say it where a vendor refuses the one before as it is. */
export async function ping(needs: ChannelNeeds, pinged: Trial): Promise<KeyTrial> {
  const isTold = pinged.tell !== null;
  const names = isTold ? await askForModels(needs, pinged) : null;
  let trial: KeyTrial | null = null;
  for (const bound of pingBounds) {
    const next = await pingOnce(needs, pinged, bound);
    trial ??= next;
    if (next.result.ok) return next;
    const whole =
      isTold && next.result.status === 200 ? await pingWhole(needs, pinged, bound) : null;
    if (whole) return whole;
    if (!refusedByForm.has(next.result.status ?? 0)) break;
  }
  // The vendor's first reply is about the plainest request.
  trial ??= await pingOnce(needs, pinged, {});
  if (!isAboutModel(trial)) return trial;
  return withModels(pinged, trial, isTold ? names : await askForModels(needs, pinged));
}

/** Some vendors have no streams and answer as ever; null where it was not that. */
async function pingWhole(
  needs: ChannelNeeds,
  pinged: Trial,
  bounds: JsonObject,
): Promise<KeyTrial | null> {
  const trial = await pingOnce(needs, { ...pinged, tell: null }, bounds);
  const { result } = trial;
  return result.ok
    ? { ...trial, result: { ...result, message: result.message + unstreamed } }
    : null;
}

const unstreamed = " Asked for a stream, it sent none that can be read.";

async function pingOnce(needs: ChannelNeeds, pinged: Trial, bounds: JsonObject): Promise<KeyTrial> {
  const { settings, key, model, scope, tell: tellStep } = pinged;
  const startedAtMs = needs.clock.monotonicMs();
  let status: number | null = null;
  const send: Send = async (outbound) => {
    const reply = await pinged.send(outbound);
    status = reply.status;
    return reply;
  };
  const messages = [{ role: "user", content: "ping" }];
  const body: JsonObject = { model, messages, ...bounds, ...(tellStep && { stream: true }) };
  const request = chat.read(body, null);
  const attempt = await tryText(
    {
      send,
      deadlines: needs.deadlines,
      firstByteMs: trialMsMax,
      streamFirstByteMs: trialMsMax,
      openTally: () => noTally,
    },
    {
      format: chat,
      request,
      body,
      scope,
      action: "generate",
      createdAtSeconds: Math.floor(needs.clock.nowMs() / 1000),
      wireHeaders: {},
      outputTokensMax: pingTokensMax,
      bound: noBound,
      disconnect: new Disconnect(null, scope.signal),
      content: null,
      priced: [],
      exchange: null,
      shownModel: null,
      conversation: null,
      wasted: null,
    },
    // However patient its requests are, a test is not.
    { channel: new Channel({ ...settings, timeouts: noTimeouts }, noEjection), key },
  );
  if (attempt.kind === "served" && attempt.value.kind === "stream") tellStep?.("first_token");
  const latencyMs = Math.round(needs.clock.monotonicMs() - startedAtMs);
  const message = await tell(needs, attempt, pinged);
  return {
    result: {
      ok: attempt.kind === "served",
      status,
      latency_ms: latencyMs,
      message: message + (isPriced(needs.prices, model) ? "" : unpriced),
      model,
      key: key.position,
      checked: "answer",
    },
    isChannelFault: attempt.kind === "failed" && attempt.blame === "channel",
  };
}

const unpriced = " It has no price, so requests for it are refused.";

async function tell(
  { deadlines }: ChannelNeeds,
  attempt: Attempt<ServedText>,
  called: Pick<Trial, "settings" | "key">,
): Promise<string> {
  if (attempt.kind === "served") {
    return withoutSecrets(await tellServed(attempt.value, deadlines), called);
  }
  if (attempt.kind === "abandoned") throw new GatewayError("client_closed_request");
  const { message, cause } = attempt.error;
  return withoutSecrets(typeof cause === "string" ? `${message} ${cause}` : message, called);
}
