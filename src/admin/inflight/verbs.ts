// How what runs now is seen and ended, and what the reference says of it.
import { removed } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { InflightView } from "./contract.ts";
import { endInflight } from "./end.ts";
import { listInflight } from "./list.ts";

const { verb, list } = verbsOf("Records");

export const inflightVerbs = {
  list: list("List the requests that run now", InflightView, listInflight),
  end: verb("End a request that runs", "id", endInflight, { answer: removed }),
};
