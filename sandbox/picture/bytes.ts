// Bytes and bits one after another, without knowing beforehand how many.

class ByteWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length++] = byte;
  }

  written(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** The highest bit first, as JPEG has it; a byte of ones is followed by one of zeros. */
export class HighBits {
  readonly #bytes = new ByteWriter();
  #current = 0;
  #filled = 0;

  bits(count: number, value: number): void {
    this.#current = (this.#current << count) | value;
    this.#filled += count;
    while (this.#filled >= 8) {
      this.#filled -= 8;
      const byte = (this.#current >> this.#filled) & 0xff;
      this.#bytes.push(byte);
      if (byte === 0xff) this.#bytes.push(0);
    }
    this.#current &= 0xff;
  }

  /** Fill the rest of the last byte with ones. */
  written(): Uint8Array {
    if (this.#filled > 0) this.bits(8 - this.#filled, 0xff >> this.#filled);
    return this.#bytes.written();
  }
}

/** The lowest bit first, as WebP has it. */
export class LowBits {
  readonly #bytes = new ByteWriter();
  #current = 0;
  #filled = 0;

  bits(count: number, value: number): void {
    this.#current |= value << this.#filled;
    this.#filled += count;
    while (this.#filled >= 8) {
      this.#bytes.push(this.#current & 0xff);
      this.#current >>>= 8;
      this.#filled -= 8;
    }
  }

  /** A code of a table: its highest bit comes first, other than in numbers. */
  code(length: number, value: number): void {
    for (let at = length - 1; at >= 0; at--) this.bits(1, (value >> at) & 1);
  }

  written(): Uint8Array {
    if (this.#filled > 0) this.bits(8 - this.#filled, 0);
    return this.#bytes.written();
  }
}
