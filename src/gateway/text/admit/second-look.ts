// A second look before a 402. A hold is a token for each byte, of which agents' bodies have three
// or four a token: where the money does not reach for that, and only there, the prompt is counted
// and asked for again by its count.
import { tokenPercentOf } from "../../../catalogue/rules/token-factors.ts";
import type { Channel } from "../../../distribution/channel.ts";
import { countedBound, savedTokens } from "./counted-bound.ts";
import type { RequestBound } from "../../../quota/estimate.ts";
import type { Ledger } from "../../../quota/ledger.ts";
import { Shortage } from "../../../quota/shortage.ts";
import { LookLine } from "./look-line.ts";
import type { Meter } from "../meter/meter.ts";
import { textHoldOf, type Grounds, type HeldText, type TextHold } from "../open-text.ts";

const bodyBytesMax = 8 * 1024 * 1024;
const withinMs = 300;
const limits = { atOnceMax: 2, waitingMax: 64, waitingOfAccountMax: 8 };

export interface LookNeeds {
  ledger: Ledger;
  meter: Pick<Meter, "boundPrompt">;
  rules: { readonly secondLook: "on" | "off" };
  /** Told of each count, and what came of it. */
  looked(result: "served" | "refused"): void;
}

export class SecondLook {
  readonly #needs: LookNeeds;
  readonly #line = new LookLine(limits);

  constructor(needs: LookNeeds) {
    this.#needs = needs;
  }

  /**
   * Null where it has to be waited for. A look is wanted, too, where the bytes would leave less
   * than an ample answer.
   */
  tryAdmit(grounds: Grounds, bound: RequestBound): HeldText | null {
    const { ledger } = this.#needs;
    const mayLook = this.#mayLook(grounds);
    const hold = textHoldOf(grounds, bound, mayLook);
    try {
      const reservation = ledger.tryAdmit(hold.ask);
      return reservation && { hold, reservation };
    } catch (error) {
      if (mayLook && error instanceof Shortage) return null;
      throw error;
    }
  }

  async admit(grounds: Grounds, bound: RequestBound): Promise<HeldText> {
    const mayLook = this.#mayLook(grounds);
    const hold = textHoldOf(grounds, bound, mayLook);
    try {
      return await this.#admit(hold);
    } catch (error) {
      if (!mayLook || !(error instanceof Shortage)) throw error;
      const counted = await this.#look(grounds, bound, error.roomMicros);
      if (counted) return await this.#admitCounted(textHoldOf(grounds, counted, false));
      if (!hold.shrink) throw error;
      return await this.#admit(textHoldOf(grounds, bound, false));
    }
  }

  async #admitCounted(hold: TextHold): Promise<HeldText> {
    try {
      const held = await this.#admit(hold);
      this.#needs.looked("served");
      return held;
    } catch (error) {
      this.#needs.looked("refused");
      throw error;
    }
  }

  async #admit(hold: TextHold): Promise<HeldText> {
    return { hold, reservation: await this.#needs.ledger.admit(hold.ask) };
  }

  #mayLook({ input, priced }: Grounds): boolean {
    const { bodyBytes, written } = input;
    const { mediaBytes } = priced.request;
    if (this.#needs.rules.secondLook === "off" || bodyBytes > bodyBytesMax || written.length === 0)
      return false;
    return savedTokens({ bodyBytes, mediaBytes }, 0) > 0;
  }

  /** Null where no count would do, or none can be had. */
  async #look(
    grounds: Grounds,
    bound: RequestBound,
    roomMicros: number,
  ): Promise<RequestBound | null> {
    const { input, priced } = grounds;
    const { request, serving } = priced;
    const text = { bodyBytes: input.bodyBytes, mediaBytes: request.mediaBytes };
    const best = countedBound(bound, text, 0);
    if (!best || leastMicros(textHoldOf(grounds, best, false)) > roomMicros) return null;
    const counted = await this.#line.run(input.call.caller.accountId, () =>
      this.#needs.meter.boundPrompt({
        written: input.written,
        mediaBytes: request.mediaBytes,
        percent: percentOf(request.model, serving),
        withinMs,
      }),
    );
    return counted === null ? null : countedBound(bound, text, counted);
  }
}

function leastMicros({ ask, shrink }: TextHold): number {
  return shrink?.leastMicros ?? ask.micros;
}

/** The percentage of the serving channel whose model makes the most tokens of a text. */
function percentOf(model: string, serving: readonly Channel[]): number {
  return Math.max(...serving.map((channel) => tokenPercentOf(channel.upstreamModel(model))));
}
