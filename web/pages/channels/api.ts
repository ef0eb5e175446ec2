// Shapes of the API that are not in the contract of this branch.

/** What `POST /api/convert` answers. */
export interface ConvertView {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  format: string;
  converted: boolean;
  upstream_model: string;
  ignored: string[];
  hold: { micros: number; input_tokens_max: number; output_tokens_max: number };
  reply: {
    body: unknown;
    events: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    charged_micros: number | null;
  } | null;
}
