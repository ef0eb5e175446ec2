// How one learns how the gateway is doing, and what the reference says of it.
import { verb } from "../verb.ts";
import { StatusView } from "./contract.ts";
import { readStatus } from "./read.ts";

export const status = {
  read: verb({
    tag: "System",
    summary: "How the gateway is doing",
    takes: "nothing",
    answer: StatusView,
    run: readStatus,
  }),
};
