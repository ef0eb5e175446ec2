// API keys: each call with its function.
import { bind } from "../bind.ts";
import { changeKey } from "./change.ts";
import { keyCalls, pageKeyCalls } from "./contract.ts";
import { createKey } from "./create.ts";
import { createSessionKey } from "./create-session.ts";
import { listKeyViews } from "./list.ts";
import { readKey } from "./read.ts";
import { revokeKey } from "./revoke.ts";
import { rotateKey } from "./rotate.ts";

export const pageKeyVerbs = bind(pageKeyCalls, { create: createSessionKey });

export const keyVerbs = bind(keyCalls, {
  list: listKeyViews,
  create: createKey,
  rotate: rotateKey,
  read: readKey,
  change: changeKey,
  revoke: revokeKey,
});
