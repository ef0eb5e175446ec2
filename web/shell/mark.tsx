// The sign of the house.

const wave =
  "M5.5 4v6M14.5 4v6M5.5 6.5h9" +
  "M3 14.5c1.75 0 1.75-1.5 3.5-1.5s1.75 1.5 3.5 1.5 1.75-1.5 3.5-1.5 1.75 1.5 3.5 1.5";

export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="var(--accent)" />
      <path
        d={wave}
        stroke="var(--on-accent)"
        stroke-width="1.5"
        fill="none"
        stroke-linecap="round"
      />
    </svg>
  );
}
