// Every migration in order. The position is the version.
import type { Migration } from "../migrate.ts";
import { assetPlaces } from "./asset-places.ts";
import { assets } from "./assets.ts";
import { foundation } from "./foundation.ts";
import { origins } from "./origins.ts";
import { sessions } from "./sessions.ts";
import { tasks } from "./tasks.ts";

export const migrations: readonly Migration[] = [
  foundation,
  origins,
  sessions,
  tasks,
  assets,
  assetPlaces,
];
