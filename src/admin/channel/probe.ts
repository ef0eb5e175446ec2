// Tries a channel with the smallest request there is, on its stored address with one of its stored
// keys. It is no customer's request: nothing is held, charged or logged as use.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { scrub } from "../../core/log.ts";
import type { Send } from "../../core/outbound.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import { Channel, type ChannelKey, type ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, setKeyStatus } from "../../distribution/queries.ts";
import { chat } from "../../formats/chat/index.ts";
import type { Attempt } from "../../gateway/attempt.ts";
import type { Tally } from "../../gateway/text/meter/meter.ts";
import { servesText, toExchange } from "../../gateway/text/plan-text.ts";
import type { Scope } from "../../gateway/scope.ts";
import { tryText } from "../../gateway/text/try-text.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelTest } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { found, invalid, readChannelId, type OnOne } from "../input.ts";
import { reloadChannels, type ControlParts } from "../parts.ts";

const timeoutMs = 20_000;
const messageCharactersMax = 500;
/** The attempt is made outside of distribution, so no breaker watches it. */
const noEjection = { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 };

const pingTokensMax = 1;
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
  parts: ControlParts,
  _operator: Operator,
  { id, body, scope }: OnOne & { scope: Scope },
): Promise<ChannelTest> {
  const asked = parseWith(testChecker, body);
  const settings = found(await readSettingsOf(parts.database, parts.seal, readChannelId(id)));
  const model = asked.model ?? settings.models[0] ?? "";
  if (!settings.models.includes(model)) throw invalid("model", "is not one of the channel's");
  if (!servesText(settings, chat)) {
    throw new GatewayError("invalid_request", {
      message: "The channel takes no chat completions to test it with.",
    });
  }
  const key = pickKey(settings, asked.key);
  const result = await ping(parts, { settings, key, model, scope });
  if (result.ok) await restore(parts, settings, key);
  return result;
}

/** A disabled key first: whether it is back is what a test is mostly asked for. */
function pickKey({ keys }: ChannelSettings, position: number | undefined): ChannelKey {
  const key =
    position === undefined ? (keys.find(({ isEnabled }) => !isEnabled) ?? keys[0]) : keys[position];
  if (!key) throw invalid("key", "is not one of the channel's");
  return key;
}

interface Ping {
  settings: ChannelSettings;
  key: ChannelKey;
  model: string;
  scope: Scope;
}

async function ping(parts: ControlParts, asked: Ping): Promise<ChannelTest> {
  const { settings, key, model, scope } = asked;
  const startedAtMs = parts.clock.monotonicMs();
  let status: number | null = null;
  const send: Send = async (outbound) => {
    const reply = await parts.send(outbound);
    status = reply.status;
    return reply;
  };
  const messages = [{ role: "user", content: "ping" }];
  const body: JsonObject = { model, messages, max_tokens: pingTokensMax };
  const request = chat.read(body, null);
  const attempt = await tryText(
    { send, deadlines: parts.deadlines, firstByteMs: timeoutMs, openTally: () => noTally },
    {
      format: chat,
      request,
      body,
      scope,
      action: "generate",
      createdAtSeconds: Math.floor(parts.clock.nowMs() / 1000),
      wireHeaders: {},
      outputTokensMax: pingTokensMax,
      exchange: () => toExchange(chat, body, request),
    },
    { channel: new Channel(settings, noEjection), key },
  );
  return {
    ok: attempt.kind === "served",
    status,
    latency_ms: Math.round(parts.clock.monotonicMs() - startedAtMs),
    message: tell(attempt, key.text),
    model,
    key: key.position,
  };
}

/** The vendor's own words help an operator, but never with the key in them. */
function tell(attempt: Attempt<unknown>, keyText: string): string {
  if (attempt.kind === "served") return "";
  if (attempt.kind === "abandoned") throw new GatewayError("client_closed_request");
  const { message, cause } = attempt.error;
  const whole = typeof cause === "string" ? `${message} ${cause}` : message;
  return scrub(whole.replaceAll(keyText, "[secret]")).slice(0, messageCharactersMax);
}

async function restore(
  parts: ControlParts,
  { id }: ChannelSettings,
  { position, isEnabled, text }: ChannelKey,
): Promise<void> {
  await inTurn(parts, "channels", async () => {
    // The channel may have got other keys while the upstream was thinking.
    const now = await readSettingsOf(parts.database, parts.seal, id);
    if (now?.keys[position]?.text !== text) return;
    if (!isEnabled) {
      await setKeyStatus(
        parts.database,
        { channelId: id, position, last4: text.slice(-4) },
        "enabled",
        null,
      );
    }
    await reloadChannels(parts);
    parts.channels.find(id)?.health.succeeded();
  });
}
