// The frame's own dialog that is open.
import { signal } from "@preact/signals";

export const overlay = signal<"palette" | "preferences" | "shortcuts" | null>(null);

export function closeOverlay(): void {
  overlay.value = null;
}
