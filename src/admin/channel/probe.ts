// Tries a channel on its stored address with one of its stored keys: text with the smallest request
// there is, and what would cost more by a call that starts no work. It is no customer's request:
// nothing is held, charged or logged as use.
import { catalogueModels } from "../../catalogue/models.ts";
import { invalid, toGatewayError } from "../../core/errors.ts";
import { lastFour, type ChannelKey, type ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, setKeyStatus } from "../../distribution/queries.ts";
import { findImageFamily, findVideoFamily } from "../../families/index.ts";
import { chat } from "../../formats/chat/index.ts";
import { wireOf } from "../../gateway/text/wires.ts";
import type { Scope } from "../../gateway/scope.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelTest, TrialCalls } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { checkChannel, type Trial } from "./check.ts";
import { toDraft } from "./draft.ts";
import { ping } from "./ping.ts";
import { authorOf } from "./reach.ts";
import { telling, TrialSteps, type Tell } from "./trial-steps.ts";

type AskedTrial<Name extends keyof TrialCalls> = Omit<InputOf<TrialCalls[Name]>, "query"> & {
  scope: Scope;
};

/** A test that can be run. */
export interface PreparedTrial {
  trial: Omit<Trial, "send" | "tell">;
  /** Findings count for the channel that is there. */
  isSaved: boolean;
}

export async function prepareSaved(
  needs: ChannelNeeds,
  { id, body: choice, scope }: AskedTrial<"saved">,
): Promise<PreparedTrial> {
  const settings = existing(await readSettingsOf(needs.database, needs.seal, readChannelId(id)));
  return { trial: toTrial(settings, choice, scope), isSaved: true };
}

/** A channel that is not made yet: `model` and the fields of a channel. */
export async function prepareDraft(
  needs: ChannelNeeds,
  operator: Operator,
  { body, scope }: AskedTrial<"draft">,
): Promise<PreparedTrial> {
  const { model, ...fields } = body;
  const choice = model === undefined ? {} : { model };
  return {
    trial: toTrial(toDraft(needs, authorOf(operator), fields), choice, scope),
    isSaved: false,
  };
}

function toTrial(
  settings: ChannelSettings,
  choice: { model?: string; key?: number },
  scope: Scope,
): PreparedTrial["trial"] {
  const model = choice.model ?? settings.models[0] ?? "";
  if (!settings.models.includes(model)) throw invalid("model", "is not one of the channel's");
  return { settings, key: pickKey(settings, choice.key), model, scope };
}

export async function runTrial(
  needs: ChannelNeeds,
  operator: Operator,
  { trial, isSaved }: PreparedTrial,
  tell: Tell | null = null,
): Promise<ChannelTest> {
  const { settings, key, model } = trial;
  const isText = wireOf(settings, chat) !== null && !isOther(model);
  const send = tell ? telling(needs.send, tell) : needs.send;
  const { result, isChannelFault } = await (isText ? ping : checkChannel)(needs, {
    ...trial,
    send,
    tell,
  });
  if (!isSaved) return result;
  if (result.ok) await restore(needs, operator, settings, key);
  // It counts like any other attempt, so that a bad address is put aside.
  if (isChannelFault) needs.channels.find(settings.id)?.health.failed(needs.clock.monotonicMs());
  return result;
}

/** The same, told step by step. */
export function followTrial(
  needs: ChannelNeeds,
  operator: Operator,
  prepared: PreparedTrial,
): TrialSteps {
  const steps = new TrialSteps(needs.clock);
  runTrial(needs, operator, prepared, (step, facts) => steps.tell(step, facts)).then(
    (result) => steps.tell("done", { result }),
    (error: unknown) => steps.tell("failed", { code: toGatewayError(error).code }),
  );
  return steps;
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

async function restore(
  needs: ChannelNeeds,
  operator: Operator,
  { id }: ChannelSettings,
  { position, isEnabled, text }: ChannelKey,
): Promise<void> {
  await exclusively(needs, "channels", async () => {
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
      const place = { channelId: id, position, last4: lastFour(text) };
      await setKeyStatus(database, place, "enabled", null);
    }
    await needs.reload.channels();
    needs.channels.find(id)?.health.succeeded();
  });
}
