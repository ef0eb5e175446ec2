// Sums over time: each call with its function.
import { bind } from "../bind.ts";
import { seriesCalls } from "./contract.ts";
import { readOwnSeries, readSeries } from "./read.ts";

export const seriesVerbs = bind(seriesCalls, { read: readSeries, readOwn: readOwnSeries });
