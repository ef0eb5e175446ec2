// Changes or deletes many channels at once: all of them or none.
import { channelChecker } from "../../config/entity-rules.ts";
import type { ChannelAuthor } from "../../core/pass/credential-rules.ts";
import { parseWith } from "../../core/schema.ts";
import {
  findChannel,
  openOrNull,
  readKeysOf,
  type ChannelRow,
} from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelBatch, ChannelCalls, ChannelView } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { commitChannels, planChange, planNew, storedHeaders } from "./plan.ts";
import { toInput } from "./row.ts";

export async function changeChannels(
  needs: ChannelNeeds,
  operator: Operator,
  { body }: InputOf<ChannelCalls["batch"]>,
): Promise<ChannelBatch> {
  const { ids, change, remove } = body;
  return await exclusively(needs, "channels", async () => {
    const rows: ChannelRow[] = [];
    for (const id of ids) {
      rows.push(existing(await findChannel(needs.database, readChannelId(id))));
    }
    const plan = (row: ChannelRow) =>
      change ? [planChange({ ...needs, operator }, row, change)] : [];
    const writes = rows.flatMap(plan);
    const removed = remove ? rows : [];
    const items = await commitChannels(needs, operator, writes, removed);
    return { items, removed: removed.map(({ id }) => id) };
  });
}

/** With its keys, which nobody is shown; disabled, until somebody has looked at it. */
export async function copyChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id, body }: InputOf<ChannelCalls["copy"]>,
): Promise<ChannelView> {
  return await exclusively(needs, "channels", async () => {
    const row = existing(await findChannel(needs.database, readChannelId(id)));
    const sealed = await readKeysOf(needs.database, row.id);
    const keys = sealed.map((key) => openOrNull(needs.seal, key.sealed, row.id) ?? "");
    const proxy = row.proxy === null ? null : openOrNull(needs.seal, row.proxy, row.id);
    const input = parseWith(channelChecker, {
      ...toInput(row),
      name: body.name ?? `${row.name} copy`,
      keys,
      headers: storedHeaders(needs.seal, row),
      ...(proxy !== null && { proxy }),
      status: "disabled",
    });
    // Its keys and its address are those of the other, and so is who set them.
    const write = planNew(needs, copyAuthor(row), input);
    const [view] = await commitChannels(needs, operator, [write]);
    return existing(view);
  });
}

/** The configuration file may name files of the machine, and has not declared the copy. */
function copyAuthor({ author }: ChannelRow): ChannelAuthor {
  return author === "config" ? "root" : author;
}
