// Betas of Anthropic's wire that Bedrock knows. One that it does not know is refused there with the
// whole request, so the rest is left out.

const everywhere = [
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "dangerous-tool-use-2026-09-03",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18",
  "effort-2025-11-24",
  "compact-2026-01-12",
  "fine-grained-tool-streaming-2025-05-14",
  "tool-search-tool-2025-10-19",
];

export const fineGrainedBeta = "fine-grained-tool-streaming-2025-05-14";

export const invokeBetas: ReadonlySet<string> = new Set(everywhere);

export const mantleBetas: ReadonlySet<string> = new Set([
  ...everywhere,
  "interleaved-thinking-2025-05-14",
  "structured-outputs-2025-11-13",
  "per-turn-control-2026-07-01",
  "web-search-2025-03-05",
  "output-128k-2025-02-19",
  "token-efficient-tools-2025-02-19",
  "claude-code-20250219",
]);
