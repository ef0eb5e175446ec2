// Why a test has one node where all others have two. Every such test names its reason here.
export const reasonsForOneProcess = {
} as const;

export type ReasonForOneProcess = keyof typeof reasonsForOneProcess;
