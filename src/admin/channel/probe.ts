// Tries a channel on its stored address with one of its stored keys: text with the smallest request
// there is, and what would cost more by a call that starts no work. It is no customer's request:
// nothing is held, charged or logged as use.
import { catalogueModels } from "../../catalogue/models.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import { Channel, type ChannelKey, type ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, setKeyStatus } from "../../distribution/queries.ts";
import { findImageFamily, findVideoFamily } from "../../families/index.ts";
import { chat } from "../../formats/chat/index.ts";
import type { Attempt } from "../../gateway/attempt.ts";
import { listVendorModels, trialMsMax } from "../../gateway/check-key.ts";
import type { Tally } from "../../gateway/text/meter/meter.ts";
import { servesText, toExchange } from "../../gateway/text/plan-text.ts";
import type { Scope } from "../../gateway/scope.ts";
import { Departure } from "../../gateway/stream/read-on.ts";
import { isPriced } from "../../gateway/list-models.ts";
import { tryText, type ServedText } from "../../gateway/text/try-text.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { ChannelTest } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { existing, readChannelId, type OnOne } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { checkChannel, withoutKey, type Trial, type KeyTrial } from "./check.ts";

/** The attempt is made outside of distribution, so no breaker watches it. */
const noEjection = { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 };

const noTimeouts = { firstByteMs: null, stallMs: null, totalMs: null };

/** No vendor is known that refuses so few. */
const pingTokensMax = 16;
/** Nobody pays, so nobody counts. */
const noTally: Tally = { push() {}, count: async () => 0, drop() {} };

const testChecker = compile(
  Type.Object(
    {
      model: Type.Optional(Type.String({ description: "Default: the channel's first model." })),
      key: Type.Optional(Type.Integer({ minimum: 0, description: "Which key, from 0 on." })),
    },
    { additionalProperties: false },
  ),
);

export async function testChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id, body, scope }: OnOne & { scope: Scope },
): Promise<ChannelTest> {
  const asked = parseWith(testChecker, body);
  const settings = existing(await readSettingsOf(needs.database, needs.seal, readChannelId(id)));
  const model = asked.model ?? settings.models[0] ?? "";
  if (!settings.models.includes(model)) throw invalid("model", "is not one of the channel's");
  const key = pickKey(settings, asked.key);
  const isText = servesText(settings, chat) && !isOther(model);
  const ask = { settings, key, model, scope };
  const { result, isChannelFault } = await (isText ? ping : checkChannel)(needs, ask);
  if (result.ok) await restore(needs, operator, settings, key);
  // It counts like any other attempt, so that a bad address is put aside.
  if (isChannelFault) needs.channels.find(settings.id)?.health.failed(needs.clock.monotonicMs());
  return result;
}

/** Anything but text has to be paid for by the piece. */
function isOther(model: string): boolean {
  const kind = catalogueModels.get(model)?.kind ?? "text";
  return kind !== "text" || Boolean(findVideoFamily(model) ?? findImageFamily(model));
}

/** A disabled key first: whether it is back is what a test is mostly asked for. */
function pickKey({ keys }: ChannelSettings, position: number | undefined): ChannelKey {
  const key =
    position === undefined ? (keys.find(({ isEnabled }) => !isEnabled) ?? keys[0]) : keys[position];
  if (!key) throw invalid("key", "is not one of the channel's");
  return key;
}

/** Nobody is charged for it. */
const noBound = {
  inputTokensMax: pingTokensMax,
  outputTokensMax: pingTokensMax,
  mediaTokensMax: 0,
};

/** How vendors call the bound on an answer; the last does not bound it. */
const pingBounds: readonly JsonObject[] = [
  { max_tokens: pingTokensMax },
  { max_completion_tokens: pingTokensMax },
  {},
];
const refusedByForm = new Set([400, 422]);

/** The next way to say it where a vendor refuses the one before as it is. */
async function ping(needs: ChannelNeeds, asked: Trial): Promise<KeyTrial> {
  let trial: KeyTrial | null = null;
  for (const bound of pingBounds) {
    const next = await pingOnce(needs, asked, bound);
    trial ??= next;
    if (next.result.ok) return next;
    if (!refusedByForm.has(next.result.status ?? 0)) break;
  }
  // What the vendor said first is about the plainest request.
  return withModels(needs, asked, trial ?? (await pingOnce(needs, asked, {})));
}

const aboutModel = new Set([400, 404, 422]);
const namesShownMax = 10;

/** A name that the vendor does not list is most likely what is wrong. */
async function withModels(needs: ChannelNeeds, asked: Trial, trial: KeyTrial): Promise<KeyTrial> {
  const { settings, model } = asked;
  const name = settings.modelMapping[model] ?? model;
  if (!aboutModel.has(trial.result.status ?? 0)) return trial;
  const names = await listVendorModels(needs, asked).catch(() => null);
  if (!names || names.length === 0 || names.includes(name)) return trial;
  const shown = names.slice(0, namesShownMax).join(", ");
  const rest = names.length > namesShownMax ? `, and ${names.length - namesShownMax} more` : "";
  const words = `The vendor does not list ${name}; it lists ${shown}${rest}.`;
  const message = `${trial.result.message} ${words}`.trim();
  return { ...trial, result: { ...trial.result, message } };
}

async function pingOnce(needs: ChannelNeeds, asked: Trial, bounds: JsonObject): Promise<KeyTrial> {
  const { settings, key, model, scope } = asked;
  const startedAtMs = needs.clock.monotonicMs();
  let status: number | null = null;
  const send: Send = async (outbound) => {
    const reply = await needs.send(outbound);
    status = reply.status;
    return reply;
  };
  const messages = [{ role: "user", content: "ping" }];
  const body: JsonObject = { model, messages, ...bounds };
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
      departure: new Departure(null, scope.signal),
      priced: [],
      exchange: () => toExchange(chat, body, request),
    },
    // However patient its requests are, a test is not.
    { channel: new Channel({ ...settings, timeouts: noTimeouts }, noEjection), key },
  );
  return {
    result: {
      ok: attempt.kind === "served",
      status,
      latency_ms: Math.round(needs.clock.monotonicMs() - startedAtMs),
      message: `${tell(attempt, key.text)}${isPriced(needs.prices, model) ? "" : unpriced}`,
      model,
      key: key.position,
      checked: "answer",
    },
    isChannelFault: attempt.kind === "failed" && attempt.blame === "channel",
  };
}

const unpriced = " It has no price, so requests for it are refused.";

/** The vendor's own words help an operator, but never with the key in them. */
function tell(attempt: Attempt<ServedText>, keyText: string): string {
  if (attempt.kind === "served") return withoutKey(tellServed(attempt.value), keyText);
  if (attempt.kind === "abandoned") throw new GatewayError("client_closed_request");
  const { message, cause } = attempt.error;
  return withoutKey(typeof cause === "string" ? `${message} ${cause}` : message, keyText);
}

const replyCharactersShown = 60;

function tellServed(served: ServedText): string {
  if (served.kind === "stream") return "It answered.";
  const words = readWords(served.bytes).replace(/\s+/g, " ").trim();
  const said = words === "" ? "It answered without text" : `It answered "${shorten(words)}"`;
  const { usage } = served.observed;
  if (!usage) return `${said} and told no usage, so tokens are counted here.`;
  return `${said} with ${usage.inputTokens} tokens in and ${usage.outputTokens} out.`;
}

function readWords(bytes: Uint8Array): string {
  const body = parseJson(bytes);
  return isObject(body) ? chat.replyTexts(body).join(" ") : "";
}

function shorten(words: string): string {
  const isLong = words.length > replyCharactersShown;
  return isLong ? `${words.slice(0, replyCharactersShown)}…` : words;
}

async function restore(
  needs: ChannelNeeds,
  operator: Operator,
  { id }: ChannelSettings,
  { position, isEnabled, text }: ChannelKey,
): Promise<void> {
  await inTurn(needs, "channels", async () => {
    // The channel may have got other keys while the upstream was thinking.
    const now = await readSettingsOf(needs.database, needs.seal, id);
    if (now?.keys[position]?.text !== text) return;
    if (!isEnabled) {
      const note = {
        action: "channel.key_enabled",
        target: id,
        changes: { key: position },
      } as const;
      const { database } = noting(needs, operator, note);
      const place = { channelId: id, position, last4: text.slice(-4) };
      await setKeyStatus(database, place, "enabled", null);
    }
    await needs.reload.channels();
    needs.channels.find(id)?.health.succeeded();
  });
}
