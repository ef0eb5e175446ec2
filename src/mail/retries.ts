// Pace of what is sent again, for letters and notices alike.
const minute = 60_000;
const hour = 60 * minute;

/** After the first try. */
export const resendDelaysMs: readonly number[] = [minute, 5 * minute, hour / 2, 2 * hour, 6 * hour];
/** Longer than any try takes; what its sender did not write down is then sent by another. */
export const claimedMs = 2 * minute;
/** Longest wait of a stop for what is being sent. */
export const closeMsMax = 5000;
