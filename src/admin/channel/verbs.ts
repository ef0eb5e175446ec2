// Channels: each call with its function.
import { bind } from "../bind.ts";
import { changeChannels, copyChannel } from "./batch.ts";
import { changeChannel } from "./change.ts";
import { channelCalls } from "./contract.ts";
import { createChannel } from "./create.ts";
import { discoverModels, listPresets } from "./discover.ts";
import { listChannelViews } from "./list.ts";
import { readChannel } from "./read.ts";
import { removeChannel } from "./remove.ts";
import { exportChannels, importChannels } from "./yaml.ts";

export const channelVerbs = bind(channelCalls, {
  list: listChannelViews,
  create: createChannel,
  presets: listPresets,
  discover: discoverModels,
  batch: changeChannels,
  exportAll: exportChannels,
  importAll: importChannels,
  copy: copyChannel,
  read: readChannel,
  change: changeChannel,
  remove: removeChannel,
});
