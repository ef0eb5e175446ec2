// Readiness of the gateway for paid work, as everyone may ask.
import { signal } from "@preact/signals";

/** Null until it is known. */
export const ready = signal<boolean | null>(null);

export async function loadReady(): Promise<void> {
  try {
    ready.value = (await fetch("/readyz")).ok;
  } catch {
    ready.value = false;
  }
}
