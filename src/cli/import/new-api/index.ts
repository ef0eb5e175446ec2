// new-api: its database in SQLite, PostgreSQL or MySQL.
import type { SnapshotReader } from "../snapshot.ts";
import type { Lineage } from "../lineage/dialect.ts";
import { readLineage } from "../lineage/read.ts";
import { channelKinds, otherKinds } from "./channel-kinds.ts";

const dialect: Lineage = {
  program: "new-api",
  channels: channelKinds,
  otherChannels: otherKinds,
  isDeleted: () => false,
  hasSubjects: true,
  locksOutput: true,
};

export const newApi: SnapshotReader = {
  program: dialect.program,
  read: (ask) => readLineage(ask, dialect),
};
