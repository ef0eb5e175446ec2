// How one learns how the gateway is doing, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { StatusView } from "./contract.ts";
import { readStatus } from "./read.ts";

const { verb } = verbsOf("System");

export const statusVerbs = {
  read: verb("How the gateway is doing", "nothing", readStatus, { answer: StatusView }),
};
