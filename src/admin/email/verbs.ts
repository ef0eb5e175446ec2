// One's own address: each call with its function. Those of visitors are served by hand.
import { bind } from "../bind.ts";
import { ownEmailCalls } from "./contract.ts";
import { removeEmail, setEmail } from "./own.ts";

export const ownEmailVerbs = bind(ownEmailCalls, { set: setEmail, remove: removeEmail });
