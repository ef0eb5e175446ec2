// The gateway's own secret: each call with its function.
import { bind } from "../bind.ts";
import { secretCalls } from "./contract.ts";
import { readSecretState, rotateSecret } from "./rotate.ts";

export const secretVerbs = bind(secretCalls, { read: readSecretState, rotate: rotateSecret });
