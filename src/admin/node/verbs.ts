// How one learns which nodes there are, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { NodeView } from "./contract.ts";
import { listNodes } from "./list.ts";

const { list } = verbsOf("System");

export const nodeVerbs = {
  list: list("List the nodes, the living first", NodeView, listNodes),
};
