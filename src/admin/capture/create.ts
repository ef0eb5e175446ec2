// Has the contents of the next few requests kept, to be looked at.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { insertCapture, readCaptures, type CaptureRow } from "../../observe/capture/queries.ts";
import { brief } from "../audit/changes.ts";
import { noting, personOf } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { findChangeable } from "../key/find.ts";
import type { CaptureCalls, CaptureInput, CaptureView } from "./contract.ts";
import { viewCaptures } from "./list.ts";
import { captureIdPrefix, captureTopic, type CaptureNeeds } from "./needs.ts";

/** Each has some megabytes at most. */
const perPersonMax = 5;
const ofMembersMax = 40;
const minuteMs = 60_000;

export async function createCapture(
  needs: CaptureNeeds,
  operator: Operator,
  { body: input }: InputOf<CaptureCalls["create"]>,
): Promise<CaptureView> {
  return await exclusively(needs, captureTopic, async () => {
    assertRoom(operator, await readCaptures(needs.database));
    const row = await toRow(needs, operator, input);
    const note = { action: "capture.create", target: row.id, changes: brief(input) } as const;
    await insertCapture(noting(needs, operator, note).database, row);
    await needs.captures.reload();
    return (await viewCaptures(needs, operator, [{ row, taken: 0 }]))[0] as CaptureView;
  });
}

async function toRow(
  needs: CaptureNeeds,
  operator: Operator,
  { key, model, channel, requests = 1, minutes = 15 }: CaptureInput,
): Promise<CaptureRow> {
  const isMember = !operator.may.has("contents.capture");
  if (!isMember && key === undefined && model === undefined && channel === undefined) {
    throw invalid("key", "is required, or a model or a channel");
  }
  if (isMember && channel !== undefined) {
    throw new GatewayError("permission_denied", { param: "channel" });
  }
  if (operator.seat?.role === "member" && key === undefined) {
    throw invalid("key", "is required: a member captures requests of its own keys");
  }
  const ownKey =
    key === undefined ? null : await findChangeable(needs, operator, key, "contents.capture");
  const known = needs.channels.all.find(({ settings }) => settings.id === channel)?.settings;
  if (channel !== undefined && !known) throw invalid("channel", `names no channel: ${channel}`);
  const nowMs = needs.clock.nowMs();
  return {
    id: needs.ids.of(captureIdPrefix),
    account_id: ownKey?.account_id ?? (isMember ? operator.accountId : null),
    key_id: ownKey?.id ?? null,
    model: model ?? null,
    channel_id: known?.id ?? null,
    requests_max: requests,
    taken: 0,
    until_ms: nowMs + minutes * minuteMs,
    actor_id: personOf(operator).accountId,
    created_at_ms: nowMs,
  };
}

function assertRoom(operator: Operator, rows: readonly CaptureRow[]): void {
  const { accountId: personId } = personOf(operator);
  const own = rows.filter(({ actor_id }) => actor_id === personId);
  const isFull = !operator.may.has("contents.capture") && rows.length >= ofMembersMax;
  if (own.length < perPersonMax && !isFull) return;
  const message = `At most ${perPersonMax} captures are kept for a person: delete one of them.`;
  throw new GatewayError("conflict", { message });
}
