/** More behind than any lease or window is long. */
export const behindMs = 7_200_000;
