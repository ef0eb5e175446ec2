// The log of requests' contents, redacted, to files or to a collector.
import { keptTexts, type ContentRecord } from "./record.ts";
import type { Redactor } from "./redact.ts";

/** Sink of records: nothing waits for it. */
interface ContentSink {
  readonly sent: number;
  readonly dropped: number;
  add(record: ContentRecord): void;
  close(): Promise<void>;
}

interface ContentLogNeeds {
  sink: ContentSink;
  redact: Redactor;
  charactersMax: number;
}

export class ContentLog {
  readonly #needs: ContentLogNeeds;

  constructor(needs: ContentLogNeeds) {
    this.#needs = needs;
  }

  get sent(): number {
    return this.#needs.sink.sent;
  }

  get dropped(): number {
    return this.#needs.sink.dropped;
  }

  add(record: ContentRecord): void {
    const { sink, redact, charactersMax } = this.#needs;
    const prompt = keptTexts(record.prompt, redact, charactersMax);
    const answer = keptTexts(record.answer, redact, charactersMax);
    const cut = record.cut || prompt.isCut || answer.isCut;
    sink.add({ ...record, prompt: prompt.kept, answer: answer.kept, cut });
  }

  close(): Promise<void> {
    return this.#needs.sink.close();
  }
}
