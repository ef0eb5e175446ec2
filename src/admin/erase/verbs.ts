// Deleting accounts for good and handing out what is kept of oneself: each call with its function.
import { bind } from "../bind.ts";
import { eraseUser } from "./accounts.ts";
import { eraseCalls } from "./contract.ts";
import { exportOwn } from "./export.ts";

export const eraseVerbs = bind(eraseCalls, { eraseUser, exportOwn });
