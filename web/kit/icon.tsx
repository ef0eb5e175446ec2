// Own drawings for 16 px with a line of 1.5. Never without a word beside them, or a label on what
// holds them.

const paths = {
  overview: "M2.5 2.5h4v4h-4zM9.5 2.5h4v6h-4zM2.5 9.5h4v4h-4zM9.5 11.5h4v2h-4z",
  requests: "M2.5 4h11M2.5 8h11M2.5 12h7",
  live: "M1.5 8h3l2-5 3 10 2-5h3",
  playground: "M2.5 3.5h11v7.5H7l-3 2.5V11H2.5zM5.5 6h5M5.5 8.25h3",
  keys: "M10.5 9A3.5 3.5 0 1 0 7.2 6.7L2.5 11.4v2.1h2.3v-1.6h1.6v-1.6l1-.9M11 5v.01",
  usage: "M2.5 13.5v-4M6.2 13.5v-8M9.9 13.5V8M13.5 13.5v-11",
  media: "M2.5 3.5h11v9h-11zM6.75 6v4L10 8z",
  assets: "M2.5 5.5v7h11v-6H8L6.5 4h-4z",
  models: "m8 1.75 5.5 3v6.5L8 14.25l-5.5-3v-6.5zM2.5 4.75 8 7.75l5.5-3M8 7.75v6.5",
  channels: "M2 4h4l4 8h4M2 12h4l1.2-2.4M8.8 6.4 10 4h4",
  prices: "M8 2.5h5.5V8L8 13.5 2.5 8zM10.75 5.25v.01",
  groups: "M2.5 2.5h5v5h-5zM8.5 8.5h5v5h-5zM10 2.5h3.5V6M6 13.5H2.5V10",
  people:
    "M6 7.5A2.25 2.25 0 1 0 6 3a2.25 2.25 0 0 0 0 4.5M2 13c.3-2 1.8-3.25 4-3.25" +
    "S9.7 11 10 13M10.5 7.3a2 2 0 1 0-.5-3.9M12 9.9c1.2.4 1.9 1.5 2 3.1",
  codes: "M2.5 4.5h11v2a1.5 1.5 0 0 0 0 3v2h-11v-2a1.5 1.5 0 0 0 0-3zM9.5 4.5v7",
  budgets: "M2.5 13.5h11M4 11V8M8 11V4M12 11V6M2.5 2.5h11",
  ledger: "M3.5 2.5h9v11l-1.5-1-1.5 1-1.5-1-1.5 1-1.5-1-1.5 1zM6 6h4M6 8.75h4",
  webhooks:
    "M6.5 9.5 9 5M8 10.5h4.5M4.5 11.5 7 7.5M9 5.5a2 2 0 1 0-2-2M12.5 12.5a2 2 0 1 0 0-4" +
    "M5 9.5a2 2 0 1 0 1 3.2",
  audit: "M8 14s5-2.25 5-6V3.75L8 2 3 3.75V8c0 3.75 5 6 5 6M6 8l1.5 1.5L10.25 6.5",
  announcements: "M2.5 6.5v3h2l5 3v-9l-5 3zM11.5 6a3 3 0 0 1 0 4",
  settings:
    "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M6 12.5" +
    "a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3",
  nodes: "M5.5 2.5h5v4h-5zM2 10.5h4.5v3H2zM9.5 10.5H14v3H9.5zM8 6.5v2M4.25 10.5v-2h7.5v2",
  status: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.5 8.25 7.25 10l3.25-4",
  api: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3l-2 10",
  start: "M8 2v4M8 10v4M2 8h4M10 8h4M4 4l2 2M10 10l2 2M12 4l-2 2M6 10l-2 2",
  account:
    "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8M2.75 13.5c.4-2.4 2.4-3.75 5.25-3.75" +
    "s4.85 1.35 5.25 3.75",
  language: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M2 8h12M8 2c-4 3.5-4 8.5 0 12M8 2c4 3.5 4 8.5 0 12",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5l3 3",
  sun:
    "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 2v1M8 13v1M2 8h1M13 8h1M3.8 3.8l.7.7" +
    "M11.5 11.5l.7.7M3.8 12.2l.7-.7M11.5 4.5l.7-.7",
  moon: "M13.25 9.5A5.5 5.5 0 1 1 6.5 2.75a4.5 4.5 0 0 0 6.75 6.75",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  grip: "M6 4v.01M10 4v.01M6 8v.01M10 8v.01M6 12v.01M10 12v.01",
  more: "M3.5 8v.01M8 8v.01M12.5 8v.01",
  close: "m4 4 8 8M12 4l-8 8",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  edit: "M3 13l.6-2.9L10.5 3.2l2.3 2.3-6.9 6.9z",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9",
  lock: "M4 7.5h8v6H4zM5.75 7.5V5a2.25 2.25 0 0 1 4.5 0v2.5",
  download: "M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.5 13.5h11",
  upload: "M8 11V3M4.75 6 8 2.75 11.25 6M2.5 13.5h11",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  filter: "M2.5 3.5h11L9.5 8.5v4.5l-3-1.5v-3z",
  link: "M6.5 9.5l3-3M7 5l1.2-1.2a2.6 2.6 0 0 1 4 4L11 9M9 11l-1.2 1.2a2.6 2.6 0 0 1-4-4L5 7",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  left: "M10 4 6 8l4 4",
  right: "m6 4 4 4-4 4",
  arrow: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  send: "M8 13V3M4 7l4-4 4 4",
  stop: "M4.5 4.5h7v7h-7z",
  play: "M5 3.5v9L12.5 8z",
  plus: "M8 3v10M3 8h10",
  check: "m3.5 8.5 3 3 6-7",
  warning: "M8 2.5 14 13H2zM8 6.5V9M8 11v.01",
  table: "M2.5 3.5h11v9h-11zM2.5 7h11M7 7v5.5",
  eye:
    "M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8M8 9.5" +
    "a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3",
  key: "M10.5 9A3.5 3.5 0 1 0 7.2 6.7L2.5 11.4v2.1h2.3v-1.6h1.6v-1.6l1-.9",
  leave: "M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      class="glyph"
    >
      <path d={paths[name]} />
    </svg>
  );
}
