// Words of the page of nodes.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("nodes", "page", {
  text: "The processes that serve this gateway. Each one spends from balances lent to it.",
  alone: "This gateway runs as a single node.",
  name: "Node",
  states: {
    live: "Live",
    leaving: "Leaving",
    dead: "Ended",
  },
  here: "this node",
  started: "Started",
  lease: "Lease until",
  turn: "Last write",
  lent: "Lent",
  none: "–",
  empty: "No nodes",
});
