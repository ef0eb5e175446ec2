// Sampling settings that a model takes.

export interface SamplingRule {
  /** All of it, one of temperature and top_p but not both, or nothing. */
  taken: "all" | "one" | "none";
  /** Sampling left while it reasons; usual are values that change next to nothing. */
  whileReasoning: "all" | "usual" | "none";
}

export const takesSampling: SamplingRule = { taken: "all", whileReasoning: "all" };
export const refusesSampling: SamplingRule = { taken: "none", whileReasoning: "none" };
