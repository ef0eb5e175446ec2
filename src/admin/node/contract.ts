// Nodes of the gateway as they go over the wire.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { momentSchema, money } from "../contract/basics.ts";

export const NodeView = Type.Object({
  id: text("What the node is called in the ledger; another one after each start."),
  name: text("Its machine, with its number behind it where several share a port."),
  version: text("The version of its program."),
  state: {
    ...word("live", "leaving", "dead"),
    description: "A leaving node ends what it has begun; a dead one has ended.",
  },
  here: Type.Boolean({ description: "Whether it is the one that answers this." }),
  started_at: momentSchema,
  lease_until: orNull(
    whole("Unix seconds. Unheard of until then it is called dead; null where it is alone."),
  ),
  last_turn_at: orNull(whole("Unix seconds: when it last wrote to the ledger.")),
  lent_micros: money(whole("What it was lent of accounts and has not spent yet.")),
});
export type NodeView = Static<typeof NodeView>;

const { list } = callsOf("System");

export const nodeCalls = {
  list: list("GET /api/node", "List the nodes, the living first", {
    permission: "settings.read",
    item: NodeView,
    filter: {},
  }),
};
export type NodeCalls = typeof nodeCalls;
