// Bits in the order and the codes of H.264.

export class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #filled = 0;

  bits(count: number, value: number): this {
    for (let at = count - 1; at >= 0; at--) this.#push((value >>> at) & 1);
    return this;
  }

  /** Digits as the tables of the standard print them. */
  code(digits: string): this {
    return this.bits(digits.length, Number.parseInt(digits, 2));
  }

  /** Exponential Golomb: as many zeros as bits follow the first one. */
  unsigned(value: number): this {
    const length = 32 - Math.clz32(value + 1);
    return this.bits(length - 1, 0).bits(length, value + 1);
  }

  signed(value: number): this {
    return this.unsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** A whole unit: its header, what was written, the closing one, and no false start codes. */
  toUnit(header: number): Uint8Array {
    this.#push(1);
    while (this.#filled !== 0) this.#push(0);
    const unit = [header];
    let zeros = 0;
    for (const byte of this.#bytes) {
      if (zeros === 2 && byte <= 3) {
        unit.push(3);
        zeros = 0;
      }
      unit.push(byte);
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    return Uint8Array.from(unit);
  }

  #push(bit: number): void {
    this.#current = (this.#current << 1) | bit;
    if (++this.#filled < 8) return;
    this.#bytes.push(this.#current);
    this.#current = 0;
    this.#filled = 0;
  }
}
