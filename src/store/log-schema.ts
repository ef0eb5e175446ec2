// The tables of the usage log's own database, as those of the main one are in schema.ts.
import type { summedColumns, UsageLogTable } from "./usage-columns.ts";

/** The attempts of those requests of which the row does not say all. */
export interface AttemptLogTable {
  /** Id of the request's row. */
  id: string;
  at_ms: number;
  number: number;
  channel_id: string;
  channel_name: string;
  key_last4: string;
  key_position: number;
  outcome: string;
  blame: string | null;
  status: number | null;
  code: string | null;
  words: string | null;
  started_ms: number;
  ended_ms: number;
  vendor_request_id: string | null;
  model: string | null;
}

/** Measures of each day. */
export type UsageMeasures = Record<
  "requests" | "failures" | (typeof summedColumns)[number],
  number
>;

interface UsageDayTable extends UsageMeasures {
  account_id: string;
  day: number;
  key_id: string;
  model: string;
}

interface UsageLabelDayTable extends UsageMeasures {
  account_id: string;
  day: number;
  label: string;
}

/** Measures of channels alone. */
export interface ChannelMeasures {
  attempts: number;
  attempt_failures: number;
}

interface UsageChannelDayTable extends UsageMeasures, ChannelMeasures {
  day: number;
  channel_id: string;
  model: string;
}

/**
 * Requests that had their first byte, and their end, within the time of two steps each: the second
 * of the two is counted in multiples of 2^26, because half the columns cost half as much.
 */
export type HistogramColumn = `${"first" | "total"}_${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;
type Histograms = Record<HistogramColumn, number>;

interface SlotKinds {
  model: string;
  group_name: string;
  route: string;
  outcome: string;
}

interface UsageSlotTable extends UsageMeasures, Histograms, SlotKinds {
  account_id: string;
  /** Quarters of an hour since 1970; of an hour that was folded its first. */
  slot: number;
  key_id: string;
}

interface UsageChannelSlotTable extends UsageMeasures, ChannelMeasures, Histograms, SlotKinds {
  slot: number;
  channel_id: string;
}

/**
 * Dimensions that sums of slots are kept by alone: a column of these, or what src/observe/facets
 * says.
 */
export type FacetName =
  | "all"
  | "account_id"
  | "key_id"
  | "channel_id"
  | "model"
  | "group_name"
  | "route"
  | "outcome"
  | "health";

interface UsageFacetSlotTable extends UsageMeasures, ChannelMeasures, Histograms {
  facet: FacetName;
  /** Name of the account, the model and so on; empty for all. */
  name: string;
  slot: number;
}

interface UsageFacetDayTable {
  facet: FacetName;
  day: number;
  name: string;
  requests: number;
  micros: number;
}

/** The sums of a whole day, all channels together, as they were when its facets were made. */
interface UsageFacetStateTable extends UsageMeasures, ChannelMeasures {
  day: number;
}

export interface LogTables {
  usage_log: UsageLogTable;
  attempt_log: AttemptLogTable;
  usage_day: UsageDayTable;
  usage_channel_day: UsageChannelDayTable;
  usage_label_day: UsageLabelDayTable;
  usage_slot: UsageSlotTable;
  usage_channel_slot: UsageChannelSlotTable;
  usage_facet_slot: UsageFacetSlotTable;
  usage_facet_day: UsageFacetDayTable;
  usage_facet_state: UsageFacetStateTable;
}
