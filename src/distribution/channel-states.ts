// States of a channel, in a file of their own: pages know the words too, and nothing else of it.
export const channelStates = [
  "open",
  "ejected",
  "saturated",
  "spent",
  "resting",
  "disabled",
] as const;
