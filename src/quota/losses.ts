// Losses since the process began, by model and channel, for monitoring. The book has each loss in
// its entry; this is a sum that is read without asking the disk.

/** The place of the work that money is held for. */
export interface Whereabouts {
  readonly channel: { readonly settings: { readonly name: string } } | null;
}

interface Losable {
  readonly model: string;
  readonly whereabouts?: Whereabouts | undefined;
}

/** Loss that is known before the money is settled, and is added to that of its entry. */
export interface EarlyLoss {
  lostMicros: number;
}

interface Loss {
  model: string;
  /** Empty where the work had reached none, or the channel is gone. */
  channel: string;
  micros: number;
}

/** Past these they are counted together. */
const placesMax = 1000;
const otherName = "other";

export class Losses {
  readonly #sums = new Map<string, Loss>();

  add({ model, whereabouts }: Losable, micros: number): void {
    const channel = whereabouts?.channel?.settings.name ?? "";
    const sum = this.#sumOf(model, channel);
    sum.micros += micros;
  }

  /** Counted where the work is now, and booked with the end of the reservation. */
  addEarly(reservation: Losable & EarlyLoss, micros: number): void {
    if (micros === 0) return;
    reservation.lostMicros += micros;
    this.add(reservation, micros);
  }

  list(): readonly Readonly<Loss>[] {
    return [...this.#sums.values()];
  }

  #sumOf(model: string, channel: string): Loss {
    const key = `${model}\u0000${channel}`;
    const known = this.#sums.get(key);
    if (known) return known;
    if (this.#sums.size >= placesMax && model !== otherName) return this.#sumOf(otherName, "");
    const sum = { model, channel, micros: 0 };
    this.#sums.set(key, sum);
    return sum;
  }
}
