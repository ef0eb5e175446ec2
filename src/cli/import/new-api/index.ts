// new-api: its database in SQLite, PostgreSQL or MySQL.
import type { EstateReader } from "../estate.ts";
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

export const newApi: EstateReader = {
  program: dialect.program,
  read: (ask) => readLineage(ask, dialect),
};
