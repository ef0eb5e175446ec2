// Changes or deletes many channels at once: all of them or none.
import { ChannelInput } from "../../config/entities.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { anyObject, text } from "../../core/schema-words.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import {
  findChannel,
  openOrNull,
  readKeysOf,
  type ChannelRow,
} from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelBatch, ChannelView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { existing, readChannelId, type OnOne } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { commitChannels, planChange, planNew, storedHeaders } from "./plan.ts";
import { toInput } from "./row.ts";

const idsMax = 500;

const batchChecker = compile(
  Type.Object(
    {
      ids: Type.Array(text(), { minItems: 1, maxItems: idsMax, uniqueItems: true }),
      change: Type.Optional(anyObject),
      remove: Type.Optional(Type.Literal(true)),
    },
    { additionalProperties: false },
  ),
);

const { name: _name, ...shared } = ChannelInput.properties;

export const batchBody = Type.Object({
  ids: Type.Array(text(), { description: "Those that are meant, by their ids." }),
  change: Type.Optional(
    Type.Object(Type.Partial(Type.Object(shared)).properties, {
      description: "Fields that all of them get.",
    }),
  ),
  remove: Type.Optional(Type.Literal(true, { description: "They are deleted instead." })),
});

export async function changeChannels(
  needs: ChannelNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<ChannelBatch> {
  const { ids, change, remove } = parseWith(batchChecker, body);
  if ((change === undefined) === (remove === undefined)) {
    throw invalid("change", "or remove has to be there, and only one of them");
  }
  return await inTurn(needs, "channels", async () => {
    const rows: ChannelRow[] = [];
    for (const id of ids) {
      rows.push(existing(await findChannel(needs.database, readChannelId(id))));
    }
    const writes = change === undefined ? [] : rows.map((row) => planChange(needs, row, change));
    const removed = remove ? rows : [];
    const items = await commitChannels(needs, operator, writes, removed);
    return { items, removed: removed.map(({ id }) => id) };
  });
}

const copyChecker = compile(
  Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
);

/** With its keys, which nobody is shown; disabled, until somebody has looked at it. */
export async function copyChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id, body }: OnOne,
): Promise<ChannelView> {
  const { name } = parseWith(copyChecker, body);
  return await inTurn(needs, "channels", async () => {
    const row = existing(await findChannel(needs.database, readChannelId(id)));
    const sealed = await readKeysOf(needs.database, row.id);
    const keys = sealed.map((key) => openOrNull(needs.seal, key.sealed, row.id) ?? "");
    const proxy = row.proxy === null ? null : openOrNull(needs.seal, row.proxy, row.id);
    const write = planNew(needs, {
      ...toInput(row),
      name: name ?? `${row.name} copy`,
      keys,
      headers: storedHeaders(needs.seal, row),
      ...(proxy !== null && { proxy }),
      status: "disabled",
    });
    const [view] = await commitChannels(needs, operator, [write]);
    return existing(view);
  });
}
