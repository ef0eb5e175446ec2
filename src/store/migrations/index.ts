// Every migration in order. The position is the version.
import type { Migration } from "../migrate.ts";
import { foundation } from "./foundation.ts";
import { origins } from "./origins.ts";

export const migrations: readonly Migration[] = [foundation, origins];
