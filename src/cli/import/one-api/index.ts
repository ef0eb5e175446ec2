// one-api: the same lineage as new-api, with other numbers and older habits.
import { numberIn } from "../cells.ts";
import type { SnapshotReader } from "../snapshot.ts";
import type { Lineage } from "../lineage/dialect.ts";
import { readLineage } from "../lineage/read.ts";
import { channelKinds, otherKinds } from "./channel-kinds.ts";

const deleted = 3;

const dialect: Lineage = {
  program: "one-api",
  channels: channelKinds,
  otherChannels: otherKinds,
  isDeleted: (user) => numberIn(user, "status") === deleted,
  hasSubjects: false,
  locksOutput: false,
};

export const oneApi: SnapshotReader = {
  program: dialect.program,
  read: (ask) => readLineage(ask, dialect),
};
