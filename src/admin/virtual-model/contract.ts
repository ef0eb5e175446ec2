// Virtual models as they go over the wire, and their calls.
import { channelPreferences } from "../../config/fields.ts";
import {
  fallbackReasons,
  VirtualModelInput,
  virtualModelChecker,
} from "../../config/virtual-model.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { parseWith, Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { byName } from "../search.ts";

const MemberView = Type.Object({
  model: text(),
  weight: orNull(whole("Its share of the conversations; null where it has none.")),
  when: Type.Array(word(...fallbackReasons), {
    description: "What the one before it must have been left for.",
  }),
  window_tokens: orNull(whole("As it was set; null where the catalogue says.")),
  served: Type.Boolean({ description: "Some channel serves it, or it is a virtual one." }),
});

export const VirtualModelView = Type.Object({
  name: text(),
  members: Type.Array(MemberView, { description: "In the order in which they are asked." }),
  price: word("served", "own"),
  reply_model: orNull(
    Type.Enum(["asked", "served"], {
      description: "The `model` in replies; null as the gateway does.",
    }),
  ),
  prefer: orNull(
    Type.Enum([...channelPreferences], {
      description: "What channels of one member are chosen by; null as the group does.",
    }),
  ),
  hidden: Type.Boolean({ description: "Lists of models do not have it." }),
  groups: orNull(Type.Array(text())),
  declared: Type.Boolean(),
});
export type VirtualModelView = Static<typeof VirtualModelView>;

const { call, list } = callsOf("Virtual models");

export const virtualModelCalls = {
  list: list("GET /api/virtual-model", "List virtual models", {
    permission: "channels.read",
    item: VirtualModelView,
    filter: byName,
  }),
  write: call("POST /api/virtual-model", "Create or change a virtual model", {
    permission: "channels.write",
    description: "The whole of it is replaced. A member that nothing serves is refused.",
    body: {
      schema: VirtualModelInput,
      example: { name: "fast", members: [{ model: "chatA" }, { model: "chatB" }] },
      parse: (body) => parseWith(virtualModelChecker, body),
    },
    answer: VirtualModelView,
  }),
  /** Query, since names of models may have slashes. */
  remove: call("DELETE /api/virtual-model", "Delete a virtual model", {
    permission: "channels.write",
    query: { name: { schema: text(), isRequired: true } },
    answer: Type.Object({ name: text() }),
  }),
};
export type VirtualModelCalls = typeof virtualModelCalls;
