// What a channel can be in, in a file of its own: pages know the words too, and nothing else of it.
export const channelStates = [
  "open",
  "ejected",
  "saturated",
  "spent",
  "resting",
  "disabled",
] as const;
